"""`examples/monitoring`: every metric and label that an alert or a panel names exists, and no metric is forgotten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import CollectorRegistry

from tslp_litellm.gateway.metrics import Metrics

MONITORING = Path(__file__).parents[2] / "examples" / "monitoring"
ALERTS: dict[str, Any] = yaml.safe_load((MONITORING / "alerts.yaml").read_text())
DASHBOARD: dict[str, Any] = json.loads((MONITORING / "dashboard.json").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
TARGETS = [target for panel in DASHBOARD["panels"] for target in panel["targets"]]
QUERIES = [*(rule["expr"] for rule in RULES), *(target["expr"] for target in TARGETS)]


def served() -> dict[str, set[str]]:
    """Every series that `/metrics` gives once all has happened, with its labels."""
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    metrics.episode("recorded")
    metrics.artifact("PROPOSED", "collapse")
    metrics.audit("completed", 1)
    metrics.fault("pre-flight")
    samples = [sample for family in registry.collect() for sample in family.samples]
    return {sample.name: set(sample.labels) for sample in samples if not sample.name.endswith("_created")}


SERVED = served()


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_names_what_exists(query: str) -> None:
    named = re.findall(r"\btslp_\w+", query)
    assert named
    labels = set[str]().union(*(SERVED[name] for name in named))
    asked = re.findall(r"by \(([^)]*)\)", query) + re.findall(r"\{(\w+)=", query)
    assert {label.strip() for one in asked for label in one.split(",")} <= labels
    assert query.count("(") == query.count(")")


def test_every_metric_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for target in TARGETS)
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in SERVED}
    assert {family for family in families if family not in shown} == set()


def test_a_legend_names_a_label_of_its_query() -> None:
    for target in TARGETS:
        for label in re.findall(r"\{\{(\w+)}}", target["legendFormat"]):
            assert re.search(rf"by \([^)]*\b{label}\b", target["expr"])


def test_an_alert_says_what_and_what_to_do() -> None:
    for rule in RULES:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "description"}
        for label in re.findall(r"\$labels\.(\w+)", json.dumps(rule["annotations"])):
            assert re.search(rf"by \([^)]*\b{label}\b", rule["expr"])


def test_panels_lie_beside_each_other() -> None:
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in DASHBOARD["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in DASHBOARD["panels"]})

"""The Docker files, as far as they can be judged without an engine: a linter, and what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from tslp_litellm.cli.gateway import OFFLINE

ROOT = Path(__file__).parents[2]
LINTER = "dockerfile-utils@0.16.3"
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
ONE_SHOT = {"pull", "pull-team"}


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Instruction and arguments, continuations joined, comments left out."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.MULTILINE)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [(word.upper(), rest.strip()) for line in lines if line.strip() for word, _, rest in [line.partition(" ")]]


def stages(dockerfile: str) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {"": []}
    name = ""
    for word, rest in instructions(dockerfile):
        if word == "FROM":
            name = rest.rpartition(" AS ")[2]
            found[name] = []
        found[name].append((word, rest))
    return found


DOCKERFILE = (ROOT / "Dockerfile").read_text()
STAGES = stages(DOCKERFILE)


# -- the Dockerfile


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="the linter comes from npm")
def test_the_linter_finds_nothing_and_can_find(tmp_path: Path) -> None:
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", tmp_path, LINTER], check=True)
    linter = tmp_path / "node_modules" / ".bin" / "dockerfile-utils"
    bad = tmp_path / "Bad"
    bad.write_text(DOCKERFILE.replace("USER 10001", "USERR 10001"))
    assert "USERR" in subprocess.run([linter, "lint", bad], check=False, capture_output=True, text=True).stdout
    done = subprocess.run([linter, "lint", ROOT / "Dockerfile"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "")


@pytest.mark.parametrize("target", ["gateway", "team"])
def test_an_image_is_not_root_and_has_a_health_check(target: str) -> None:
    users = [rest for word, rest in STAGES[target] if word == "USER"]
    assert users[-1] not in ("root", "0")
    last_user = max(n for n, (word, _) in enumerate(STAGES[target]) if word == "USER")
    assert "RUN" not in [word for word, _ in STAGES[target][last_user:]]
    checks = [rest for word, rest in STAGES[target] if word == "HEALTHCHECK"]
    assert len(checks) == 1
    assert "/health/liveliness" in checks[0]
    command = next(rest for word, rest in STAGES[target] if word == "CMD")
    assert json.loads(command), "the exec form, so that signals arrive"


def test_base_images_are_pinned() -> None:
    images = re.findall(r"^ARG \w+_IMAGE=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert len(images) == 3
    for image in [*images, *re.findall(r":-([\w./-]+:[\w.-]+)}", (ROOT / "docker-compose.yml").read_text())]:
        _, _, tag = image.rpartition(":")
        assert re.search(r"\d+[.\d]*", tag), image
        assert tag != "latest"


def test_nothing_of_development_is_in_the_image() -> None:
    for word, rest in STAGES["build"]:
        if word == "RUN" and "uv sync" in rest:
            for command in re.findall(r"uv sync[^&]*", rest):
                assert {"--locked", "--no-dev"} <= set(command.split())
    copied = [rest for word, rest in STAGES["gateway"] if word == "COPY"]
    assert copied == ["--from=build /app/.venv /app/.venv", "config.yaml /app/config.yaml"]


def test_the_gateway_fetches_nothing_at_start() -> None:
    """As `tslp run` has it."""
    environment = " ".join(rest for word, rest in STAGES["gateway"] if word == "ENV")
    for name, value in OFFLINE.items():
        assert f'{name}="{value}"' in environment


def admitted(path: str) -> bool:
    """Whether .dockerignore lets a file into the build context: the last line that fits decides."""
    result = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        pattern = rule.removeprefix("!").removeprefix("**/")
        parts = path.split("/")
        ways = {"/".join(parts[:n]) for n in range(1, len(parts) + 1)}
        if rule.startswith("**/"):
            ways |= set(parts)
        if any(fnmatch(way, pattern) for way in ways):
            result = rule.startswith("!")
    return result


def test_the_build_context_is_what_is_copied() -> None:
    sources = [
        source
        for stage in STAGES.values()
        for word, rest in stage
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    ]
    for source in sources:
        assert (ROOT / source).exists(), source
        assert admitted(source), source
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for path in tracked:
        assert admitted(path) == any(path == s or path.startswith(f"{s}/") for s in sources), path
    assert not admitted(".env")
    assert not admitted(".tslp/master.key")
    assert not admitted("tslp_litellm/__pycache__/x.pyc")


# -- docker-compose.yml


KNOWN = {
    "build", "cap_drop", "command", "depends_on", "entrypoint", "environment", "healthcheck", "image", "init",
    "mem_limit", "pids_limit", "ports", "profiles", "read_only", "restart", "security_opt", "tmpfs", "volumes",
}  # fmt: skip
"""Fields of a service in the Compose specification, as far as they are used."""


def test_every_field_is_one_of_the_specification() -> None:
    assert set(COMPOSE) <= {"name", "services", "volumes"}
    for service in SERVICES.values():
        assert service.keys() <= KNOWN
        assert service.get("build", {}).keys() <= {"context", "target"}
        assert service.get("healthcheck", {}).keys() <= {"test", "interval", "timeout", "retries"}
        for how in service.get("depends_on", {}).values():
            assert how["condition"] in ("service_healthy", "service_started")


def test_who_waits_for_health_waits_for_a_health_check() -> None:
    built_with_check = {"gateway", "team"}
    for name, service in SERVICES.items():
        assert "healthcheck" in service or name in built_with_check | ONE_SHOT
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other]
            theirs, ours = set(SERVICES[other].get("profiles", [])), set(service.get("profiles", []))
            assert not theirs or theirs & ours, f"{name} needs {other}, which its profile does not start"


def test_a_teams_models_are_those_that_are_pulled() -> None:
    config = yaml.safe_load((ROOT / "examples" / "team" / "config.yaml").read_text())
    models = {model["litellm_params"]["model"].removeprefix("ollama_chat/") for model in config["model_list"]}
    (command,) = SERVICES["pull-team"]["command"]
    assert set(re.findall(r"ollama pull (\S+)", command)) == models
    assert "pull-team" in SERVICES["team"]["depends_on"]


def test_servers_are_held_to_their_share_of_the_machine() -> None:
    """But for the model's, whose share is the model's."""
    for name in ("gateway", "team", "postgres"):
        assert SERVICES[name]["mem_limit"].endswith("g")
        assert SERVICES[name]["pids_limit"] > 0
        assert "no-new-privileges:true" in SERVICES[name]["security_opt"]
    assert re.fullmatch(r"\$\{POSTGRES_IMAGE:-postgres:\d+\.\d+-alpine\}", SERVICES["postgres"]["image"])


def test_a_server_writes_where_it_must_and_nowhere_else() -> None:
    """TSLP writes its database and nothing beside it; LiteLLM its temporary files and, with a database, migrations."""
    written = {
        name: {place.partition(":")[0] for place in SERVICES[name]["tmpfs"]} for name in ("gateway", "team", "postgres")
    }
    for name, places in written.items():
        assert SERVICES[name]["read_only"] is True
        assert "/tmp" in places
        for volume in SERVICES[name].get("volumes", ()):
            source, target, *how = volume.split(":")
            assert how == ["ro"] if source.startswith("./") else target not in places
    team = SERVICES["team"]["environment"]
    assert team["LITELLM_MIGRATION_DIR"] in written["team"]
    assert team["NPM_CONFIG_CACHE"].startswith("/tmp/")
    assert team["TSLP_DATABASE_URL"].startswith("postgresql")
    database = dict(re.findall(r'(\w+)="([^"]*)"', " ".join(rest for word, rest in STAGES["gateway"] if word == "ENV")))
    (volume,) = SERVICES["gateway"]["volumes"]
    assert database["TSLP_DATABASE_URL"].startswith(f"sqlite:///{volume.partition(':')[2]}/")


def test_targets_are_stages() -> None:
    for service in SERVICES.values():
        if "build" in service:
            assert service["build"]["target"] in STAGES


def test_volumes_are_named_and_in_nobodys_home() -> None:
    used = set()
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source, target, *_ = volume.split(":")
            assert not target.startswith(("/root", "/home", "~"))
            if source.startswith("./"):
                assert (ROOT / source).is_file()
            else:
                used.add(source)
    assert used == set(COMPOSE["volumes"])
    assert SERVICES["ollama"]["environment"]["OLLAMA_MODELS"] == "/models"
    assert "ollama:/models" in SERVICES["ollama"]["volumes"]


def test_ports_are_this_machines_unless_asked() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(ports) == 2
    for port in ports:
        assert port.startswith(("127.0.0.1:", "${TSLP_BIND:-127.0.0.1}:"))


def test_every_variable_is_in_the_example_and_no_secret_is() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    asked = {name for name in re.findall(r"\$\{(\w+)", text) if not name.endswith("_IMAGE")}
    example = (ROOT / "examples" / "docker.env").read_text()
    offered = dict(re.findall(r"^(?:# )?([A-Z_]+)=(\S*)", example, re.MULTILINE))
    assert asked == set(offered)
    assert not [name for name, value in offered.items() if name.endswith(("PASSWORD", "KEY")) and value]
    assert "${LITELLM_MASTER_KEY:?" in text
    ignored = subprocess.run(["git", "check-ignore", "--quiet", ".env"], check=False, cwd=ROOT)
    assert ignored.returncode == 0

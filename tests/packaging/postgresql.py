"""A PostgreSQL server of one's own for a test, made by the example's own script, where its programs are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.gateway import free_port

PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda p: int(p.parent.name))
AVAILABLE = PROGRAMS is not None and shutil.which("psql") is not None and shutil.which("runuser") is not None
ROOT = Path(__file__).parents[2]


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """The port of a server with the databases of `examples/team/databases.sh` (passwords `l` and `t`)."""
    assert PROGRAMS is not None
    as_other = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []
    data, socket, password, port = folder / "data", folder / "socket", folder / "password", free_port()
    for made in (data, socket):
        made.mkdir(parents=True)
    password.write_text("admin")
    if as_other:
        for made in (data, socket):
            shutil.chown(made, "nobody")
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and parent.is_relative_to("/tmp") and parent != Path("/tmp"):
                parent.chmod(0o755)
        folder.chmod(0o755)
    run = [*as_other, PROGRAMS / "initdb", "-D", data, "-U", "postgres", "-A", "scram-sha-256", "--no-sync"]
    subprocess.run([*run, f"--pwfile={password}"], check=True, capture_output=True)
    control = [*as_other, PROGRAMS / "pg_ctl", "-D", data, "-w", "-l", data / "log"]
    subprocess.run([*control, "-o", f"-p {port} -k {socket} -c fsync=off", "start"], check=True, capture_output=True)
    try:
        environment = {
            **os.environ,
            "PGHOST": "127.0.0.1",
            "PGPORT": str(port),
            "PGPASSWORD": "admin",
            "LITELLM_DB_PASSWORD": "l",
            "TSLP_DB_PASSWORD": "t",
        }
        script = ROOT / "examples" / "team" / "databases.sh"
        subprocess.run(["sh", script], check=True, capture_output=True, env=environment)
        yield port
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True)

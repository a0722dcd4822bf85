# The gateway: LiteLLM with TSLP. `docker compose up` builds the target `gateway`; docs/docker.md says more.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
ARG UV_IMAGE=ghcr.io/astral-sh/uv:0.9.8
# LiteLLM's own image for gateways with a database (virtual keys); any release of the supported range.
ARG LITELLM_IMAGE=ghcr.io/berriai/litellm-non_root:main-v1.106.2

FROM ${UV_IMAGE} AS uv

FROM ${PYTHON_IMAGE} AS build
COPY --from=uv /uv /usr/local/bin/uv
WORKDIR /app
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
# The dependencies change seldom and have a layer of their own.
COPY pyproject.toml uv.lock ./
RUN uv sync --locked --no-dev --no-install-project --extra postgresql --extra secrets --extra webhooks
COPY README.md LICENSE CHANGELOG.md symbols.json ./
COPY alembic alembic
COPY tslp_litellm tslp_litellm
RUN uv sync --locked --no-dev --no-editable --extra postgresql --extra secrets --extra webhooks \
    && uv build --wheel --out-dir /wheel

# One person, SQLite in /data.
FROM ${PYTHON_IMAGE} AS gateway
RUN useradd --no-create-home --home-dir /data --uid 10001 tslp \
    && install --directory --owner=tslp --group=tslp --mode=0700 /data
COPY --from=build /app/.venv /app/.venv
COPY config.yaml /app/config.yaml
ENV PATH="/app/.venv/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    TSLP_DATABASE_URL="sqlite:////data/tslp.db" \
    LITELLM_LOCAL_MODEL_COST_MAP="True" \
    LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS="True" \
    LITELLM_LOCAL_BLOG_POSTS="True" \
    LITELLM_LOCAL_POLICY_TEMPLATES="True" \
    LITELLM_LOCAL_AUTOROUTER_PRESETS="True" \
    LITELLM_TELEMETRY="False"
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=90s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:4000/health/liveliness', timeout=2)"]
CMD ["litellm", "--config", "/app/config.yaml", "--host", "0.0.0.0", "--port", "4000"]

# A team: LiteLLM's own image brings what its database needs (Prisma); TSLP and its driver are added to it.
FROM ${LITELLM_IMAGE} AS team
USER root
COPY --from=uv /uv /usr/local/bin/uv
COPY --from=build /wheel /wheel
RUN wheel="$(ls /wheel/*.whl)" \
    && /app/.venv/bin/python -c "from importlib.metadata import version; print('litellm==' + version('litellm'))" \
        > /wheel/constraints.txt \
    && uv pip install --no-cache --python /app/.venv/bin/python --constraints /wheel/constraints.txt \
        "${wheel}[postgresql,secrets,webhooks]" \
    && rm -r /wheel /usr/local/bin/uv
COPY examples/team/config.yaml /app/team.yaml
USER nobody
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=180s --retries=3 \
    CMD ["/app/.venv/bin/python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:4000/health/liveliness', timeout=2)"]
CMD ["--config", "/app/team.yaml", "--host", "0.0.0.0", "--port", "4000", "--num_workers", "2", "--run_gunicorn"]

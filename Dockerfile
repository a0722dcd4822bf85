# The gateway: LiteLLM with TSLP. Build: docker compose build
FROM python:3.11-slim-bookworm AS build
COPY --from=ghcr.io/astral-sh/uv:0.9 /uv /usr/local/bin/uv
WORKDIR /app
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
COPY pyproject.toml uv.lock README.md LICENSE symbols.json ./
COPY tslp_litellm tslp_litellm
COPY alembic alembic
RUN uv sync --locked --no-dev --no-editable

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 tslp && mkdir /data && chown tslp /data
COPY --from=build /app/.venv /app/.venv
COPY config.yaml /app/config.yaml
ENV PATH="/app/.venv/bin:$PATH" \
    TSLP_DATABASE_URL="sqlite:////data/tslp.db" \
    LITELLM_LOCAL_MODEL_COST_MAP="True" \
    LITELLM_TELEMETRY="False"
USER tslp
WORKDIR /data
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:4000/health/liveliness', timeout=2)"]
CMD ["litellm", "--config", "/app/config.yaml", "--host", "0.0.0.0", "--port", "4000"]

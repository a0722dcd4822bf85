#!/bin/sh
# Run once by the postgres image, on an empty volume: two databases, each with a role of its own.
set -eu
for name in LITELLM_DB_PASSWORD TSLP_DB_PASSWORD; do
    eval "[ -n \"\${$name:-}\" ]" || { echo "databases.sh: set $name in .env" >&2; exit 1; }
done
# A here-document and not --command: only there are psql's variables filled in, quoted.
psql --set=ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" \
    --set=litellm="$LITELLM_DB_PASSWORD" --set=tslp="$TSLP_DB_PASSWORD" <<'SQL'
CREATE ROLE litellm LOGIN PASSWORD :'litellm';
CREATE DATABASE litellm OWNER litellm;
REVOKE CONNECT ON DATABASE litellm FROM PUBLIC;
CREATE ROLE tslp LOGIN PASSWORD :'tslp';
CREATE DATABASE tslp OWNER tslp;
REVOKE CONNECT ON DATABASE tslp FROM PUBLIC;
SQL

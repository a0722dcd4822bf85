#!/bin/sh
# A verified copy of TSLP's database, beside a running gateway; the newest KEEP (14) copies stay. For cron or a timer.
#   backup.sh FOLDER [CONFIG]        TSLP_DATABASE_URL, if set, wins over the CONFIG (config.yaml)
# Nothing is removed unless the new copy is sound. Copies hold all texts: keep them like the database.
set -eu
folder=${1:?a folder for the copies}
umask 077
mkdir -p "$folder"
tslp backup "$folder/tslp-$(date -u +%Y%m%dT%H%M%SZ).copy" --config "${2:-config.yaml}"
find "$folder" -maxdepth 1 -name 'tslp-*.copy' | sort -r | tail -n "+$((${KEEP:-14} + 1))" | while IFS= read -r old; do
    rm -- "$old"
done

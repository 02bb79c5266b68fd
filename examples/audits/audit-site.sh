#!/bin/sh
# Audits one site into FOLDER/NAME, or continues its run. NAME is the URL without its scheme.
#
#   sh audit-site.sh FOLDER URL OPTIONS-OF-AUDIT
set -eu
folder=$1 url=$2
shift 2
name=$(printf %s "${url#*://}" | sed 's|/*$||' | tr -c 'A-Za-z0-9.-' _)

[ ! -e "$folder/$name/run.sqlite" ] || set -- --resume "$@"
exec maycrawl audit "$url" --out "$folder/$name" "$@"

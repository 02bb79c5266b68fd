#!/bin/sh
# Audits many sites as jobs of GNU parallel, one a site. The same command again continues the runs that are not complete.
# SITES is a file with one URL a line. JOBS is the number of sites that are audited at the same time, by default 8.
#
#   sh parallel.sh SITES FOLDER OPTIONS-OF-AUDIT
set -eu
sites=$1 folder=$2
shift 2

parallel --jobs "${JOBS:-8}" --no-run-if-empty --quote \
  sh "$(dirname "$0")/audit-site.sh" "$folder" {} "$@" < "$sites"

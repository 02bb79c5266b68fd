#!/bin/sh
# A census as jobs of GNU parallel, one a slice, and then the merge of the parts. The same command again judges only the parts that are missing.
# JOBS is the number of jobs that run at the same time, by default one for each processor.
#
#   sh parallel.sh SLICES FOLDER OPTIONS-OF-CENSUS-JUDGE
set -eu
slices=$1 folder=$2
shift 2

seq "$slices" | parallel --jobs "${JOBS:-100%}" --quote \
  maycrawl census judge "$@" --slice "{}/$slices" --out "$folder/parts" --threads 1
maycrawl census merge "$folder/parts" --out "$folder/census"

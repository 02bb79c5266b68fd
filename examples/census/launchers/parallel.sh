#!/bin/sh
# A census as jobs of GNU parallel, one a slice, and then the merge of the parts.
# The same command again judges only the parts that are missing.
#
#   sh parallel.sh PATHS AGENTS FOLDER [SLICES]
set -eu
paths=$1 agents=$2 folder=$3 slices=${4:-200}

seq "$slices" | parallel --jobs "${JOBS:-100%}" --quote \
  maycrawl census judge --manifest "$paths" --slice "{}/$slices" --agents "$agents" --out "$folder/parts" --threads 1
maycrawl census merge "$folder/parts" --out "$folder/census"

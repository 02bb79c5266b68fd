#!/bin/sh
# Audits many sites as tasks of a Slurm array job, one a site. The same command again continues the runs that are not complete.
# SITES is a file with one URL a line. JOBS is the number of sites that are audited at the same time, CPUS and MEMORY are those of a task;
# sbatch reads its own variables, such as SBATCH_PARTITION.
#
#   sh slurm.sh SITES FOLDER OPTIONS-OF-AUDIT
set -eu
sites=$1 folder=$2

if [ "${STEP:-submit}" = audit ]; then
  shift 2
  exec sh "$LAUNCHERS/audit-site.sh" "$folder" "$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$sites")" "$@"
fi

mkdir -p "$folder/logs"
# sbatch runs a copy of this file.
LAUNCHERS=$(cd "$(dirname "$0")" && pwd)
export LAUNCHERS
STEP=audit sbatch --export=ALL --job-name=audit --array="1-$(grep -c '' "$sites")%${JOBS:-8}" --requeue \
  --cpus-per-task="${CPUS:-1}" --mem="${MEMORY:-2G}" --output="$folder/logs/audit-%a.log" "$0" "$@"

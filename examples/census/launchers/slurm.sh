#!/bin/sh
# A census as tasks of a Slurm array job, one a slice, and a job that merges the parts if all tasks succeeded. The same command again judges
# only the parts that are missing. CPUS and MEMORY are those of a task; sbatch reads its own variables, such as SBATCH_PARTITION.
#
#   sh slurm.sh SLICES FOLDER OPTIONS-OF-CENSUS-JUDGE
set -eu
slices=$1 folder=$2

case ${STEP:-submit} in
  judge)
    shift 2
    exec maycrawl census judge "$@" --slice "$SLURM_ARRAY_TASK_ID/$slices" --out "$folder/parts" --threads "$CPUS"
    ;;
  merge) exec maycrawl census merge "$folder/parts" --out "$folder/census" ;;
esac

mkdir -p "$folder/logs"
export CPUS="${CPUS:-2}" MEMORY="${MEMORY:-4G}"
tasks=$(STEP=judge sbatch --parsable --export=ALL --job-name=census-judge --array="1-$slices" --requeue \
  --cpus-per-task="$CPUS" --mem="$MEMORY" --output="$folder/logs/judge-%a.log" "$0" "$@")
STEP=merge sbatch --parsable --export=ALL --job-name=census-merge --dependency="afterok:$tasks" \
  --kill-on-invalid-dep=yes --mem="$MEMORY" --output="$folder/logs/merge.log" "$0" "$@"

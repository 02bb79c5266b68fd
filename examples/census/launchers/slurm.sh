#!/bin/sh
# A census as tasks of a Slurm array job, one a slice, and a job that merges the parts when all tasks succeeded.
# The same command again judges only the parts that are missing. Options of sbatch can be given as its variables: SBATCH_PARTITION=long
#
#   sh slurm.sh PATHS AGENTS FOLDER [SLICES]
set -eu
export PATHS="$1" AGENTS="$2" FOLDER="$3" SLICES="${4:-200}"
mkdir -p "$FOLDER/logs"

tasks=$(sbatch --parsable --job-name=census-judge --array="1-$SLICES" --requeue \
  --cpus-per-task="${CPUS:-2}" --mem="${MEMORY:-4G}" --output="$FOLDER/logs/judge-%a.log" <<'END'
#!/bin/sh
exec maycrawl census judge --manifest "$PATHS" --slice "$SLURM_ARRAY_TASK_ID/$SLICES" --agents "$AGENTS" \
  --out "$FOLDER/parts" --threads "$SLURM_CPUS_PER_TASK"
END
)
sbatch --parsable --job-name=census-merge --dependency="afterok:$tasks" --kill-on-invalid-dep=yes \
  --mem="${MEMORY:-4G}" --output="$FOLDER/logs/merge.log" <<'END'
#!/bin/sh
exec maycrawl census merge "$FOLDER/parts" --out "$FOLDER/census"
END

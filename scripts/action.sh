#!/usr/bin/env bash
# The steps of the GitHub Action (action.yml): annotations on standard output, a summary of the job where GitHub wants it.
# Ends with 1 if the linter finds errors, or an expectation does not hold. A change alone is told, and is no failure.
set -uo pipefail
: "${ROBOTS:=robots.txt}" "${TESTS:=robots.test.yaml}" "${BASE:=HEAD~1}" "${MAYCRAWL:=npx --yes maycrawl}"
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
failed=0

$MAYCRAWL lint "$ROBOTS" --format github
[ $? -eq 2 ] && exit 2
$MAYCRAWL lint "$ROBOTS" --severity error --format json >/dev/null || failed=1

{
  echo "## $ROBOTS"
  echo
  echo '### What the change does'
  echo '```'
  if git cat-file -e "$BASE:$ROBOTS" 2>/dev/null; then $MAYCRAWL diff "git:$BASE:$ROBOTS" "$ROBOTS"
  else echo "There was no $ROBOTS in $BASE."; fi
  echo '```'
} >>"$summary" 2>&1

if [ -f "$TESTS" ]; then
  $MAYCRAWL verify "$ROBOTS" --tests "$TESTS" --format github
  case $? in 0) ;; *) failed=1 ;; esac
  {
    echo '### What is expected'
    echo '```'
    $MAYCRAWL verify "$ROBOTS" --tests "$TESTS"
    echo '```'
  } >>"$summary" 2>&1
fi
exit $failed

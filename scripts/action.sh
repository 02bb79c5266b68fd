#!/usr/bin/env bash
# The steps of the GitHub Action (action.yml): annotations on standard output, a summary of the job where GitHub wants it.
# Ends with 1 if the linter finds errors, or an expectation does not hold. A change alone is told, and is no failure.
set -uo pipefail
: "${ROBOTS:=robots.txt}" "${TESTS:=robots.test.yaml}" "${BASE:=HEAD~1}" "${MAYCRAWL:=npx --yes maycrawl}"
# A name is never an option, nor standard input.
case $ROBOTS in -*) ROBOTS=./$ROBOTS ;; esac
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
  if ! git rev-parse --verify --quiet --end-of-options "$BASE^{commit}" >/dev/null; then
    echo "Not known: this clone has no revision $BASE. Give actions/checkout a fetch-depth of 0, or this action another base."
  elif git cat-file -e "$BASE:$ROBOTS" 2>/dev/null; then $MAYCRAWL diff "git:$BASE:$ROBOTS" "$ROBOTS"
  else echo "There was no $ROBOTS in $BASE."; fi
  echo '```'
} >>"$summary" 2>&1

# Only the file that nobody named may be absent: a misspelled name would pass as expectations that hold.
if [ -e "$TESTS" ] || [ "$TESTS" != robots.test.yaml ]; then
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

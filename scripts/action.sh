#!/usr/bin/env bash
# The steps of the GitHub Action (action.yml): annotations on standard output, and a summary of the job.
# Exits with 1 if the linter finds errors or an expectation fails. A change of verdicts is only reported.
set -uo pipefail
: "${ROBOTS:=robots.txt}" "${TESTS:=robots.test.yaml}" "${BASE:=HEAD~1}" "${MAYCRAWL:=npx --yes maycrawl}"
# A name must not become an option, or standard input.
case $ROBOTS in -*) ROBOTS=./$ROBOTS ;; esac
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
failed=0

$MAYCRAWL lint "$ROBOTS" --format github
[ $? -eq 2 ] && exit 2
$MAYCRAWL lint "$ROBOTS" --severity error --format json >/dev/null || failed=1

{
  echo "## $ROBOTS"
  echo
  echo '### Changes of verdicts'
  echo '```'
  if ! git rev-parse --verify --quiet --end-of-options "$BASE^{commit}" >/dev/null; then
    echo "Unknown: this clone has no revision $BASE. Set fetch-depth: 0 of actions/checkout, or another base of this action."
  elif git cat-file -e "$BASE:$ROBOTS" 2>/dev/null; then $MAYCRAWL diff "git:$BASE:$ROBOTS" "$ROBOTS"
  else echo "There was no $ROBOTS in $BASE."; fi
  echo '```'
} >>"$summary" 2>&1

# Only the default file may be missing: a misspelled name would pass as met expectations.
if [ -e "$TESTS" ] || [ "$TESTS" != robots.test.yaml ]; then
  $MAYCRAWL verify "$ROBOTS" --tests "$TESTS" --format github
  case $? in 0) ;; *) failed=1 ;; esac
  {
    echo '### Expectations'
    echo '```'
    $MAYCRAWL verify "$ROBOTS" --tests "$TESTS"
    echo '```'
  } >>"$summary" 2>&1
fi
exit $failed

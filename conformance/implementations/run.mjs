// Runs the implementations on all questions, and writes results.json and docs/implementations.md. docs/implementations.md names what must be
// installed. An implementation that is not run keeps its former results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerQuestions } from './answer-questions.mjs';
import { IMPLEMENTATIONS } from './implementations.mjs';
import { formatPage } from './page.mjs';
import { CASES, DIGEST, RECORDED } from './questions.mjs';

const RESULTS = new URL('results.json', import.meta.url);
const PAGE = new URL('../../docs/implementations.md', import.meta.url);

const { values: options } = parseArgs({
  options: {
    // Run only these; the others keep their results.
    only: { type: 'string', multiple: true },
    // A clone of github.com/google/robotstxt; without it, Google's matcher keeps its results.
    robotstxt: { type: 'string' },
    // Another Python than Debian's.
    python: { type: 'string' },
    // Run nothing: write the page again.
    page: { type: 'boolean', default: false },
  },
});

for (const name of options.only ?? [])
  if (!IMPLEMENTATIONS.some(({ id }) => id === name))
    throw new RangeError(`there is no implementation ${name}`);
const isChosen = ({ id }) =>
  !options.page &&
  (options.only?.includes(id) ?? true) &&
  (id !== 'google' || options.robotstxt !== undefined);

const results = JSON.parse(readFileSync(RESULTS, 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-implementations-'));
try {
  for (const implementation of IMPLEMENTATIONS.filter(isChosen)) {
    const command = implementation.getCommand({ ...options, scratch });
    const { version, answers } = await answerQuestions(command, CASES, implementation);
    const recorded = implementation.isCasesOnly
      ? []
      : (await answerQuestions(command, RECORDED, implementation)).answers;
    results[implementation.id] = {
      version,
      date: new Date().toISOString().slice(0, 10),
      questions: DIGEST,
      cases: Object.fromEntries(CASES.map(({ id }, index) => [id, toResult(answers[index])])),
      ...(recorded.length > 0 && { recorded: countRecorded(recorded) }),
      ...(implementation.id === 'maycrawl' && {
        recordedAsNames: await countAsNames(command, implementation),
      }),
    };
    console.log(implementation.id, version, JSON.stringify(results[implementation.id].recorded ?? {}));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(PAGE, formatPage(results));

function toResult({ allowed, error }) {
  if (error !== undefined) return error;
  return allowed ? 'allowed' : 'disallowed';
}

/** Counts the verdicts if agents are names of crawlers. */
async function countAsNames(command, implementation) {
  const questions = RECORDED.map((question) => ({ ...question, isToken: false }));
  return countRecorded((await answerQuestions(command, questions, implementation)).answers);
}

/** Compares with the recorded verdicts. An error is counted once, whatever the verdict. */
function countRecorded(answers) {
  const counts = { equal: 0, allowed: 0, disallowed: 0, errors: 0 };
  for (const [index, { allowed, error }] of answers.entries()) {
    if (error !== undefined) counts.errors++;
    else if (allowed === RECORDED[index].allowed) counts.equal++;
    else if (allowed) counts.allowed++;
    else counts.disallowed++;
  }
  return counts;
}

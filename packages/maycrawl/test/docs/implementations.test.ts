import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

/** A case of conformance/implementations/cases.json. */
interface Case {
  readonly id: string;
  readonly rfc9309: { readonly allowed: boolean | null };
  /** Why this project has another verdict than Google's matcher or the RFC. */
  readonly maycrawl?: string;
}

interface Results {
  readonly version: string;
  readonly date: string;
  readonly cases: Readonly<Record<string, string>>;
  readonly recorded?: { readonly equal: number };
}

const FOLDER = join(ROOT, 'conformance/implementations');
const load = (name: string) => import(pathToFileURL(join(FOLDER, name)).href);
const { formatPage } = await load('page.mjs');
const { CASES, RECORDED, TOPICS } = await load('questions.mjs');
const { decideByProfile } = await load('maycrawl.mjs');
const { IMPLEMENTATIONS } = await load('implementations.mjs');
const { answerQuestions } = await load('answer-questions.mjs');

const results: Readonly<Record<string, Results>> = JSON.parse(
  readFileSync(join(FOLDER, 'results.json'), 'utf8'),
);
const cases: readonly Case[] = TOPICS.flatMap((topic: { readonly cases: readonly Case[] }) => topic.cases);
const toResult = (allowed: boolean): string => (allowed ? 'allowed' : 'disallowed');

/** The verdicts of a profile, by case. */
const decideCases = (profile: string): Record<string, string> =>
  Object.fromEntries(
    CASES.map((question: { readonly id: string }) => [
      question.id,
      toResult(decideByProfile(profile, question)),
    ]),
  );

test('docs/implementations.md is what the results generate (otherwise: npm run conformance:implementations -- --page)', () => {
  expect(readFileSync(join(ROOT, 'docs/implementations.md'), 'utf8')).toBe(formatPage(results));
});

test('the columns of this project are its present verdicts (otherwise: --only maycrawl --only maycrawl-rfc9309)', () => {
  expect(results['maycrawl']?.cases).toEqual(decideCases('google'));
  expect(results['maycrawl-rfc9309']?.cases).toEqual(decideCases('rfc9309'));
});

test('this project has the recorded verdicts of Google on all questions about generated files', () => {
  const wrong = RECORDED.filter(
    (question: { readonly allowed: boolean }) => decideByProfile('google', question) !== question.allowed,
  );
  expect(wrong).toEqual([]);
  expect(results['maycrawl']?.recorded?.equal).toBe(RECORDED.length);
});

test('the profile rfc9309 has the verdict of the RFC in each case that the RFC answers', () => {
  const decided = cases.filter(({ rfc9309 }) => rfc9309.allowed !== null);
  const expected = decided.map(({ id, rfc9309 }) => [id, toResult(rfc9309.allowed === true)]);
  const verdicts = decideCases('rfc9309');
  expect(decided.map(({ id }) => [id, verdicts[id]])).toEqual(expected);
});

test("each deviation of this project from Google's matcher or the RFC has a reason", () => {
  const deviates = ({ id, rfc9309 }: Case): boolean =>
    results['maycrawl']?.cases[id] !== results['google']?.cases[id] ||
    (rfc9309.allowed !== null && results['maycrawl']?.cases[id] !== toResult(rfc9309.allowed));
  expect(cases.filter(deviates).map(({ id }) => id)).toEqual(
    cases.filter(({ maycrawl }) => maycrawl !== undefined).map(({ id }) => id),
  );
});

test('at least nine other implementations in four languages have results', () => {
  const others = IMPLEMENTATIONS.filter(({ id }: { readonly id: string }) => !id.startsWith('maycrawl'));
  expect(others.length).toBeGreaterThanOrEqual(9);
  expect(
    new Set(others.map(({ language }: { readonly language: string }) => language)).size,
  ).toBeGreaterThanOrEqual(4);
  expect(Object.keys(results).sort()).toEqual(
    IMPLEMENTATIONS.map(({ id }: { readonly id: string }) => id).sort(),
  );
});

/** An adapter that allows all URLs, ends at `/end`, and never answers `/wait`. */
const ADAPTER = `
  console.log('{"version": "1"}');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.includes('/end')) process.exit();
    if (!line.includes('/wait')) console.log('{"allowed": true}');
  });`;

test('a question that ends an adapter, or that it does not answer, costs no other answer', async () => {
  const questions = ['/1', '/end', '/2', '/wait', '/3'].map((url) => ({ url }));
  const command = [process.execPath, '--eval', ADAPTER];
  // Only the question without an answer uses it up.
  const { version, answers } = await answerQuestions(command, questions, { deadline: 2_000 });
  expect(version).toBe('1');
  expect(answers).toEqual([
    { allowed: true },
    { error: 'the process ended' },
    { allowed: true },
    { error: 'no answer in time' },
    { allowed: true },
  ]);
});

test('an adapter that does not start is an error', async () => {
  const command = [process.execPath, '--eval', 'throw new Error("no library")'];
  await expect(answerQuestions(command, [{ url: '/' }])).rejects.toThrow(/does not start: .*no library/s);
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { decide, findCrawler, parse } from '../../src/index.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { countVerdicts, getVectorIds } from '../support/manifest.ts';
import {
  getContent,
  readSchema,
  readSkips,
  readVectors,
  VECTOR_FILES,
  type Vector,
} from '../support/vectors.ts';

/** Returns the verdict of the library in the form of {@link getExpectation}. */
function decideVector(vector: Vector): object {
  const { url, profile = 'google', normalize = true, robots_url } = vector;
  const options = robots_url === undefined ? { profile } : { profile, url: robots_url };
  const crawler = vector.crawler === undefined ? vector.agents : findCrawler(vector.crawler);
  if (crawler === undefined) throw new Error(`${vector.id} names an unknown crawler`);
  const verdict = parse(getContent(vector), options).ruleset(crawler).decide(url, { normalize });
  const once = decide(getContent(vector), crawler, url, { ...options, normalize });
  expect(JSON.stringify(once)).toBe(JSON.stringify(verdict));
  if (verdict.kind !== 'out-of-scope') return { allowed: verdict.allowed, line: verdict.line };
  const known = verdict.reason === 'invalid-url' || verdict.reason === 'unsupported-scheme';
  return { error: known ? verdict.reason : 'out-of-scope' };
}

function getExpectation({ allowed, line, error }: Vector): object {
  return error === undefined ? { allowed, line } : { error };
}

function decideWithOracle(vector: Vector): object {
  const { url, profile = 'google', normalize = true } = vector;
  const crawler = vector.crawler === undefined ? undefined : findCrawler(vector.crawler);
  const { allowed, line } = oracleDecide({
    content: getContent(vector),
    preferences: crawler === undefined ? [vector.agents ?? []] : crawler.tokens.map((token) => [token]),
    areBare: crawler === undefined,
    obeysGlobal: crawler === undefined || crawler.obeys === 'rules',
    url,
    normalize,
    profile,
  });
  return { allowed, line };
}

const skips = readSkips();
const isVector = new Ajv2020({ strict: false }).compile(readSchema());

/** Returns the rows with another answer than the expected one, and the number of rows that were answered. */
function findWrong(
  vectors: readonly Vector[],
  getResult: (vector: Vector) => object,
): { readonly wrong: (Vector & { readonly answer: object })[]; readonly answered: number } {
  const answers = vectors.map((vector) => ({ ...vector, answer: getResult(vector) }));
  const wrong = answers.filter(
    (each) => JSON.stringify(each.answer) !== JSON.stringify(getExpectation(each)),
  );
  return { wrong, answered: answers.length };
}

describe.each(VECTOR_FILES)('%s', (file) => {
  const vectors = readVectors(file);

  test('each row is valid against the schema', () => {
    for (const vector of vectors) {
      expect(isVector(vector), `${vector.id}: ${JSON.stringify(isVector.errors)}`).toBe(true);
    }
  });

  test('the library returns the expected verdicts, for every row of the manifest', () => {
    const { wrong, answered } = findWrong(vectors, decideVector);
    expect(wrong.filter(({ id }) => !skips.has(id))).toEqual([]);
    const wrongIds = new Set(wrong.map(({ id }) => id));
    const passing = vectors.filter(({ id }) => skips.has(id) && !wrongIds.has(id));
    expect(passing.map(({ id }) => `${id} is on the skip list, but passes`)).toEqual([]);
    expect(answered).toBe(getVectorIds(file).length);
  });

  // The oracle does not implement scope.
  test('the oracle returns the expected verdicts, for every row of the manifest that expects one', () => {
    const decided = vectors.filter(({ error }) => error === undefined);
    const { wrong, answered } = findWrong(decided, decideWithOracle);
    expect(wrong).toEqual([]);
    expect(answered).toBe(countVerdicts(file));
  });
});

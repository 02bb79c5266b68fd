import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { decide, findCrawler, parse } from '../../src/index.ts';
import { oracleDecide } from '../oracle/oracle.ts';
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

test('ids are unique across all files', () => {
  const ids = VECTOR_FILES.flatMap((file) => readVectors(file).map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});

test('all vector files are tested', () => {
  expect(VECTOR_FILES).toEqual([
    'google-page.jsonl',
    'google-reference.jsonl',
    'matcher.jsonl',
    'profiles.jsonl',
    'rfc9309.jsonl',
    'scope.jsonl',
    'urls.jsonl',
  ]);
});

describe.each(VECTOR_FILES)('%s', (file) => {
  const vectors = readVectors(file);

  test('each row is valid against the schema', () => {
    for (const vector of vectors) {
      expect(isVector(vector), `${vector.id}: ${JSON.stringify(isVector.errors)}`).toBe(true);
    }
  });

  test('the library returns the expected verdicts', () => {
    const wrong = vectors.filter(
      (vector) => JSON.stringify(decideVector(vector)) !== JSON.stringify(getExpectation(vector)),
    );
    const unexpected = wrong.filter(({ id }) => !skips.has(id));
    expect(unexpected.map((vector) => ({ ...vector, answer: decideVector(vector) }))).toEqual([]);
    const passing = vectors.filter((vector) => skips.has(vector.id) && !wrong.includes(vector));
    expect(passing.map(({ id }) => `${id} is on the skip list, but passes`)).toEqual([]);
  });

  // The oracle does not implement scope.
  const decided = vectors.filter(({ error }) => error === undefined);
  test(`the oracle returns the expected verdicts for ${decided.length} rows`, () => {
    const wrong = decided.filter(
      (vector) => JSON.stringify(decideWithOracle(vector)) !== JSON.stringify(getExpectation(vector)),
    );
    expect(wrong.map((vector) => ({ ...vector, oracle: decideWithOracle(vector) }))).toEqual([]);
  });
});

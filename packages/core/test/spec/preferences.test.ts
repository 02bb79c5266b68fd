/** The vectors about preferences. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from '../../src/index.ts';
import {
  createPolicyToken,
  POLICY_TOKENS,
  type PreferenceReport,
  READINGS,
  readPreferences,
} from '../../src/preferences.ts';
import { getVectorIds } from '../support/manifest.ts';
import { type PreferenceVector, readPreferenceVectors, readSchema } from '../support/vectors.ts';

const vectors = readPreferenceVectors();
const isVector = new Ajv2020({ strict: false, allowUnionTypes: true }).compile(
  readSchema('preferences-schema.json'),
);

function readVector(vector: PreferenceVector): PreferenceReport {
  const { robots, headers = [], metas = [], tdmrep, rsl = [], policy_tokens: tokens = [] } = vector;
  const { licenses = [], inline_rsl: inlineRsl = [] } = vector;
  const sources = {
    ...(robots === undefined ? {} : { policy: { kind: 'rules', robots: parse(robots) } as const }),
    ...(tdmrep === undefined ? {} : { tdmrep }),
    ...{ headers, metas: metas.map(([name, content]) => ({ name, content })), rsl, licenses, inlineRsl },
  };
  const policyTokens = [...POLICY_TOKENS, ...tokens.map((token) => createPolicyToken(token))];
  return readPreferences(sources, vector.agent, vector.url, { policyTokens });
}

/** The values by other readings than `grouped`, where they differ. */
function getDifferences({ purposes }: PreferenceReport): Record<string, Record<string, string>> {
  const differences: Record<string, Record<string, string>> = {};
  for (const [purpose, { value, readings }] of Object.entries(purposes))
    for (const [name, other] of Object.entries(readings))
      if (other !== value) differences[name] = { ...differences[name], [purpose]: other };
  return differences;
}

test('every reading but the first has a vector', () => {
  const names = new Set(vectors.flatMap(({ readings = {} }) => Object.keys(readings)));
  expect([...names].sort()).toEqual(
    READINGS.slice(1)
      .map(({ name }) => name)
      .sort(),
  );
});

const answered: string[] = [];

describe.each(vectors)('$id', (vector) => {
  test('is valid against the schema', () => {
    expect(isVector(vector), JSON.stringify(isVector.errors)).toBe(true);
  });

  test('has the expected values', () => {
    const report = readVector(vector);
    answered.push(vector.id);
    const values = Object.keys(vector.expect).map((purpose) => [
      purpose,
      report.purposes[purpose]?.value ?? 'unknown',
    ]);
    expect({ crawl: report.crawl, ...Object.fromEntries(values) }).toEqual({
      crawl: vector.crawl,
      ...vector.expect,
    });
    expect(getDifferences(report)).toEqual(vector.readings ?? {});
  });
});

test('every row of the manifest was answered', () => {
  expect(answered).toEqual(getVectorIds('preferences.jsonl'));
});

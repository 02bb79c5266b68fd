import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE_DATA, FURTHER_TOKENS } from '../../../core/src/crawler/catalogue-data.ts';
import { AI_TOKENS } from '../../../core/src/lint/ai-tokens.ts';
import { POLICY_TOKENS } from '../../../core/src/preferences/policy-token-data.ts';
import { ROOT } from '../support/run.ts';

const SCRIPT = join(ROOT, 'scripts/write-crawlers.mjs');

/** What \`npm run crawlers\` would write. */
const written = JSON.parse(execFileSync(process.execPath, [SCRIPT, '--print'], { encoding: 'utf8' }));

test('docs/crawlers.md describes the catalogue (otherwise: npm run crawlers)', () => {
  expect(readFileSync(join(ROOT, 'docs/crawlers.md'), 'utf8')).toBe(written.page);
});

test('docs/operators.md describes the records of operators (otherwise: npm run crawlers)', () => {
  expect(readFileSync(join(ROOT, 'docs/operators.md'), 'utf8')).toBe(written.operatorsPage);
});

test('@maycrawl/core and the linter have the crawlers of the catalogue (otherwise: npm run crawlers)', () => {
  expect(CATALOGUE_DATA).toEqual(written.catalogue);
  expect(FURTHER_TOKENS).toEqual(written.furtherTokens);
  expect([...AI_TOKENS]).toEqual(written.aiTokens.map((token: string) => token.toLowerCase()));
  expect(POLICY_TOKENS).toEqual(written.policyTokens);
});

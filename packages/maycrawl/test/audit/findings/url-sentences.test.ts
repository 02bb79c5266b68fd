/** The sentences about one URL: the evidence about a URL must not speak of lists. */
import { expect, test } from 'vitest';
import { describeUrlFinding, FINDING_CODES } from '../../../src/audit/findings/finding-kinds.ts';

test.each(FINDING_CODES)('%s in a sentence about one URL', (code) => {
  const { sentence, action } = describeUrlFinding(code, '', true);
  expect(sentence).toMatch(/^[A-Z].*[.:]$/);
  expect(sentence).not.toMatch(/\d URL|\d page|#/);
  expect(action).toMatch(/^[A-Z].*\.$/);
  expect(action).not.toMatch(/\bthe URLs?\b(?! (?:of|at|that))|to them\b|\bthey\b/);
});

test.each([
  ['listed-not-indexable', 'noindex', 'Is in a sitemap, but cannot be indexed (noindex).'],
  ['hreflang-unknown-language', 'en-UK', 'Names a version with an unknown language (en-UK).'],
  ['server-error', 'status 500', 'Responds with a server error.'],
] as const)('the detail of %s is in the sentence if nothing else shows it', (code, detail, sentence) => {
  expect(describeUrlFinding(code, detail, true).sentence).toBe(sentence);
});

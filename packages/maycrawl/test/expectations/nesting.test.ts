import { resolveAgent } from '@maycrawl/core';
import { expect, test } from 'vitest';
import { ExpectationError, parseExpectations } from '../../src/expectations/expectations.ts';

test.each([
  ['lists in brackets', '['.repeat(200)],
  ['mappings in braces', '{a: '.repeat(200)],
  ['lists in one line', '- '.repeat(200)],
  ['keys in one line', '? '.repeat(200)],
  ['anchors between', '&a - '.repeat(200)],
  ['tags', '!!x '.repeat(200)],
  ['indentation', `- a:\n${' '.repeat(2_000)}b`],
])('YAML that is nested deeply is refused before it is parsed: %s', async (_name, text) => {
  await expect(parseExpectations(text, resolveAgent)).rejects.toThrow(ExpectationError);
});

test('a file whose nesting is only apparent is accepted', async () => {
  const entry = '{"agent": "a", "allow": ["/[[[", "/{{{", "/- - -"]}';
  const long = `[${Array.from({ length: 500 }, () => entry).join(', ')}]`;
  expect(await parseExpectations(long, resolveAgent)).toHaveLength(500);
  const block = '# - - -\n- agent: a\n  allow:\n    - "/a: b"\n    - /x\n'.repeat(200);
  expect(await parseExpectations(block, resolveAgent)).toHaveLength(200);
});

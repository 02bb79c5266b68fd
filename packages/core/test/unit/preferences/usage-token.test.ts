import { expect, test } from 'vitest';
import { resolveAgent } from '../../../src/index.ts';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';
import {
  compareDeclarations,
  listDeclarations,
  PreferenceReader,
  type PreferencesSet,
  readPreferences,
  setPreferences,
  type WritableFormat,
} from '../../../src/preferences.ts';

const TOKEN = '__usage_ai-training';
const NAMED = `User-agent: *\nDisallow: /cart\n\nUser-agent: ${TOKEN}\nDisallow: /art/\n`;
const read = (text: string, agent: string, path: string) =>
  readPreferences({ policy: { kind: 'rules', robots: parse(text) } }, agent, `https://a.example${path}`)
    .purposes['ai-train'];

test('a group for the token states a preference about training for all crawlers, by path', () => {
  for (const agent of ['Googlebot', 'GPTBot', 'AnyOtherBot']) {
    expect(read(NAMED, agent, '/art/1')).toMatchObject({
      ...{ value: 'disallowed', format: 'policy-token', line: 5 },
    });
    expect(read(NAMED, agent, '/other')?.value).toBe('allowed');
  }
});

test('without a group of its own, the token does not take the rules for *', () => {
  const file = 'User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nAllow: /\n';
  expect(read(file, 'GPTBot', '/')?.value).toBe('unknown');
  const robots = parse(file);
  expect(robots.ruleset(resolveAgent(TOKEN).crawler).decide('/').kind).toBe('allowed');
  expect(new PreferenceReader({ policy: { kind: 'rules', robots } }, 'GPTBot').isSilent).toBe(true);
  expect(listDeclarations(robots).declarations).toEqual([]);
  const { equivalent } = compareDeclarations(parse('User-agent: GPTBot\nAllow: /\n'), robots);
  expect(equivalent).toBe(true);
});

const set = (text: string, formats?: readonly WritableFormat[]): string => {
  const result = setPreferences(text, { 'ai-train': 'disallowed' }, { ...(formats && { formats }) });
  return Buffer.from((result as PreferencesSet).bytes).toString();
};

test('the writer adds a group for the token only if the format is selected', () => {
  expect(set('User-agent: *\nDisallow: /cart\n')).not.toContain(TOKEN);
  const file = `User-agent: *\nDisallow: /cart\n\nUser-agent: ${TOKEN}\nDisallow: /\n`;
  expect(set('User-agent: *\nDisallow: /cart\n', ['usage-token'])).toBe(file);
  expect(set(file, ['usage-token'])).toBe(file);
  // The rules for * do not state it.
  expect(set('User-agent: *\nDisallow: /\n', ['usage-token'])).toContain(
    `User-agent: ${TOKEN}\nDisallow: /\n`,
  );
});

test('the writer changes a group for the token that states the opposite, whatever the formats', () => {
  expect(set(`User-agent: ${TOKEN}\nAllow: /\n`, ['content-usage'])).toContain(
    `User-agent: ${TOKEN}\nDisallow: /\n`,
  );
});

test.each([
  ['__usage_search', 'unknown-usage-token'],
  ['__usage_ai-trainning', 'misspelled-user-agent'],
  [TOKEN, undefined],
  ['__other_search', undefined],
])('findings about the user-agent line %s: %s', (token, code) => {
  const findings = lint(parse(`User-agent: ${token}\nDisallow: /x\n`));
  expect(findings.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
});

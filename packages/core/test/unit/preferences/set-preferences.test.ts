import { expect, test } from 'vitest';
import { CRAWLER_RECORDS } from '../../../src/crawlers.ts';
import { parse } from '../../../src/index.ts';
import { lint } from '../../../src/lint.ts';
import {
  createPolicyToken,
  type PreferenceSettings,
  type PreferencesSet,
  readPreferences,
  type SetPreferencesOptions,
  setPreferences,
} from '../../../src/preferences.ts';

const TRAIN: PreferenceSettings = { 'ai-train': 'disallowed' };
const TRAIN_AND_SEARCH: PreferenceSettings = { 'ai-train': 'disallowed', search: 'allowed' };
const LINES: SetPreferencesOptions = { formats: ['content-usage', 'content-signal'] };
const USAGE: SetPreferencesOptions = { formats: ['content-usage'] };
const SIGNAL: SetPreferencesOptions = { formats: ['content-signal'] };
const TOKENS: SetPreferencesOptions = { formats: ['policy-token'] };

/** The two lines that refuse training. */
const REFUSED = 'Content-Usage: train-ai=n\nContent-Signal: ai-train=no\n';
const TOKEN_GROUP = 'User-agent: Google-Extended\nUser-agent: Applebot-Extended\nDisallow: /\n';

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function set(
  before: string,
  settings: PreferenceSettings,
  options: SetPreferencesOptions = {},
): PreferencesSet {
  const result = setPreferences(new Uint8Array(Buffer.from(before, 'latin1')), settings, options);
  if (result.kind === 'refused') throw new Error(`${result.code}: ${result.message}`);
  return result;
}

const BLOCK = (lines: string): string =>
  `# BEGIN Cloudflare Managed content\n\n${lines}\n# END Cloudflare Managed Content\n`;

interface Case {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly settings?: PreferenceSettings;
  readonly options?: SetPreferencesOptions;
}

const CASES: readonly Case[] = [
  {
    title: 'an empty file gets a group for all crawlers and one for policy tokens',
    before: '',
    after: `User-agent: *\n${REFUSED}Allow: /\n\n${TOKEN_GROUP}`,
    options: {},
  },
  {
    title: 'a byte order mark stays first',
    before: '\xef\xbb\xbf',
    after: `\xef\xbb\xbfUser-agent: *\n${REFUSED}Allow: /\n`,
  },
  {
    title: 'a file with CRLF gets lines with CRLF',
    before: '\xef\xbb\xbfUser-agent: *\r\nDisallow: /a\r\n',
    after:
      '\xef\xbb\xbfUser-agent: *\r\nContent-Usage: train-ai=n\r\nContent-Signal: ai-train=no\r\nDisallow: /a\r\n',
  },
  {
    title: 'a file with CR gets lines with CR',
    before: 'User-agent: *\rDisallow: /a\r',
    after: 'User-agent: *\rContent-Usage: train-ai=n\rContent-Signal: ai-train=no\rDisallow: /a\r',
  },
  {
    title: 'lines are added with the line end of the line above them',
    before: 'User-agent: a\r\nAllow: /\r\nUser-agent: *\nAllow: /\r',
    after:
      'User-agent: a\r\nContent-Usage: train-ai=n\r\nAllow: /\r\nUser-agent: *\nContent-Usage: train-ai=n\nAllow: /\r',
    options: USAGE,
  },
  {
    title: 'bytes that are not UTF-8 stay',
    before: '# caf\xe9\nUser-agent: *\nDisallow: /\xff\xe9\n',
    after: `# caf\xe9\nUser-agent: *\n${REFUSED}Disallow: /\xff\xe9\n`,
  },
  {
    title: 'the last line gets a line end before lines are added below it',
    before: 'User-agent: *',
    after: 'User-agent: *\nContent-Usage: train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'a file without a group for * gets one at its end',
    before: 'User-agent: GPTBot\nDisallow: /a\n\nSitemap: https://example.com/s.xml\n',
    after: `User-agent: GPTBot\n${REFUSED}Disallow: /a\n\nSitemap: https://example.com/s.xml\n\nUser-agent: *\n${REFUSED}Allow: /\n`,
  },
  {
    title: 'a last group without rules gets an empty rule, so that new agents do not join it',
    before: 'User-agent: GPTBot\n',
    after: `User-agent: GPTBot\n${REFUSED}Disallow:\n\nUser-agent: *\n${REFUSED}Allow: /\n`,
  },
  {
    title: 'a group of its own gets the statements, too',
    before: 'User-agent: *\nDisallow: /a\n\nUser-agent: CCBot\nUser-agent: GPTBot\nDisallow: /b\n',
    after: `User-agent: *\n${REFUSED}Disallow: /a\n\nUser-agent: CCBot\nUser-agent: GPTBot\n${REFUSED}Disallow: /b\n`,
  },
  {
    title: 'a group whose crawlers may fetch nothing stays',
    before: 'User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n',
    after: `User-agent: *\n${REFUSED}Disallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n`,
  },
  {
    title: 'a crawler that another group allows a path needs statements in spite of a total disallow',
    before:
      'User-agent: *\nContent-Usage: train-ai=n\nUser-agent: GPTBot\nDisallow: /\nUser-agent: GPTBot\nAllow: /a\n',
    after:
      'User-agent: *\nContent-Usage: train-ai=n\nUser-agent: GPTBot\nContent-Usage: train-ai=n\nDisallow: /\nUser-agent: GPTBot\nAllow: /a\n',
    options: USAGE,
  },
  {
    title: 'one of several groups of the same crawlers gets the statements',
    before: 'User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n',
    after: `User-agent: *\n${REFUSED}Disallow: /a\nUser-agent: *\nDisallow: /b\n`,
  },
  {
    title: 'a list gets no statement if each of its crawlers reads one in another list',
    before: 'User-agent: a\nAllow: /x\nUser-agent: a\nUser-agent: *\nAllow: /y\nUser-agent: *\nAllow: /z\n',
    after:
      'User-agent: a\nAllow: /x\nUser-agent: a\nUser-agent: *\nContent-Usage: train-ai=n\nAllow: /y\nUser-agent: *\nAllow: /z\n',
    options: USAGE,
  },
  {
    title: 'a statement in another group of the same crawlers is enough',
    before: `User-agent: *\nDisallow: /a\nUser-agent: *\n${REFUSED}Disallow: /b\n`,
    after: `User-agent: *\nDisallow: /a\nUser-agent: *\n${REFUSED}Disallow: /b\n`,
  },
  {
    title: 'a statement of the opposite changes in place, with its spaces, case and comment',
    before: 'User-agent: *\ncontent-SIGNAL :  Search = yes ,AI-Train = YES # mine\nAllow: /\n',
    after: 'User-agent: *\ncontent-SIGNAL :  Search = yes ,AI-Train = no # mine\nAllow: /\n',
    options: SIGNAL,
  },
  {
    title: 'every repetition of a key in a signal changes',
    before: 'User-agent: *\nContent-Signal: ai-train=yes,x,ai-train=no,ai-train=yes\n',
    after: 'User-agent: *\nContent-Signal: ai-train=no,x,ai-train=no,ai-train=no\n',
    options: SIGNAL,
  },
  {
    title: 'the last of several members with one key changes in a dictionary',
    before: 'User-agent: *\nContent-Usage: train-ai=n, search=y, train-ai=y;p=1\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n, search=y, train-ai=n;p=1\n',
    options: USAGE,
  },
  {
    title: 'a value that the format does not define is replaced',
    before: 'User-agent: *\nContent-Usage: train-ai=no\nContent-Signal: ai-train=n\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no\n',
  },
  {
    title: 'a member without a value gets one',
    before: 'User-agent: *\nContent-Usage: train-ai, search=(y n)\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n, search=y\n',
    settings: TRAIN_AND_SEARCH,
    options: USAGE,
  },
  {
    title: 'a label is added to a line with other purposes, with its separator',
    before: 'User-agent: *\nContent-Signal: search=yes,use=reference\nContent-Usage: search=y\n',
    after:
      'User-agent: *\nContent-Signal: search=yes,use=reference,ai-train=no\nContent-Usage: search=y, train-ai=n\n',
  },
  {
    title: 'a label is added to an empty line',
    before: 'User-agent: *\nContent-Usage: # none\nContent-Signal:\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n # none\nContent-Signal: ai-train=no\n',
  },
  {
    title: 'a line with the label of an old draft gets the current one',
    before: 'User-agent: *\nContent-Usage: ai=n\n',
    after: 'User-agent: *\nContent-Usage: ai=n, train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'the label of an old draft that states the opposite changes',
    before: 'User-agent: *\nContent-Usage: ai=n\n',
    after: 'User-agent: *\nContent-Usage: ai=y, train-ai=y\n',
    settings: { 'ai-train': 'allowed' },
    options: USAGE,
  },
  {
    title: 'a label about the purpose is added beside a wider category that states the opposite',
    before: 'User-agent: *\nContent-Usage: all=n\n',
    after: 'User-agent: *\nContent-Usage: all=n, search=y\n',
    settings: { search: 'allowed' },
    options: USAGE,
  },
  {
    title: 'a dictionary that does not parse stays, and gets a line beside it',
    before: 'User-agent: *\nContent-Usage: Train-AI=n\nContent-Usage: /blog/ Train-AI=n\nAllow: /\n',
    after:
      'User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: Train-AI=n\nContent-Usage: /blog/ Train-AI=n\nContent-Usage: /blog/ train-ai=n\nAllow: /\n',
    options: USAGE,
  },
  {
    title: 'a line about a path that says nothing about the purpose gets the label',
    before: 'User-agent: *\nContent-Usage: /blog/ search=n\nContent-Usage: train-ai=n\n',
    after: 'User-agent: *\nContent-Usage: /blog/ search=n, train-ai=n\nContent-Usage: train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'a line about a path stays if another one with the same path has the label',
    before:
      'User-agent: *\nContent-Usage: /a search=n\nContent-Usage: /a train-ai=n\nContent-Usage: train-ai=n\n',
    after:
      'User-agent: *\nContent-Usage: /a search=n\nContent-Usage: /a train-ai=n\nContent-Usage: train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'a path keeps its bytes when it is repeated',
    before: 'User-agent: *\nContent-Usage: /\xe9\xc3\xa9 Search=y\nContent-Usage: train-ai=n\n',
    after:
      'User-agent: *\nContent-Usage: /\xe9\xc3\xa9 Search=y\nContent-Usage: /\xe9\xc3\xa9 train-ai=n\nContent-Usage: train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'a path with a statement of the opposite changes in place',
    before: 'User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'a line with only a path gets the label',
    before: 'User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=n\n',
    options: USAGE,
  },
  {
    title: 'agents that a Content-Usage line separates are two lists for readers of the AIPREF draft',
    before: 'User-agent: a\nContent-Usage: train-ai=n\nUser-agent: *\nDisallow: /x\n',
    after:
      'User-agent: a\nContent-Usage: train-ai=n\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n',
    options: USAGE,
  },
  {
    title: 'a line among user-agent lines is not moved, and lines are added below the last one',
    before: 'User-agent: a\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /x\n',
    after: `User-agent: a\nCrawl-delay: 5\n\nUser-agent: *\n${REFUSED}Disallow: /x\n`,
  },
  {
    title: 'a statement before the first group reaches no crawler, but must not say the opposite',
    before: 'Content-Signal: ai-train=yes\nContent-Usage: search=y\nUser-agent: *\nAllow: /\n',
    after: `Content-Signal: ai-train=no\nContent-Usage: search=y\nUser-agent: *\n${REFUSED}Allow: /\n`,
  },
  {
    title: 'a rule before the first group stays outside of groups',
    before: 'Disallow: /x\n',
    after: `Disallow: /x\n\nUser-agent: *\n${REFUSED}Allow: /\n`,
  },
  {
    title: 'the statement of a managed block counts, and the missing one goes to the group of the owner',
    before: `${BLOCK('User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n')}\nUser-agent: *\nDisallow: /x\n`,
    after: `${BLOCK('User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n')}\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n`,
  },
  {
    title: 'a group that only a managed block has is repeated outside of it, with an empty rule',
    before: BLOCK(
      'User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: MJ12Bot/2\nDisallow: /x\n',
    ),
    after: `${BLOCK('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: MJ12Bot/2\nDisallow: /x\n')}\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow:\n\nUser-agent: MJ12Bot\n${REFUSED}Disallow:\n`,
  },
  {
    title: 'a permission in a managed block stays, because the refusal outside of it is stronger',
    before: BLOCK('User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n'),
    after: `${BLOCK('User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n')}\nUser-agent: *\nContent-Signal: ai-train=no\nDisallow:\n`,
    options: SIGNAL,
  },
  {
    title: 'a refusal in a managed block changes, because no permission outside of it is stronger',
    before: BLOCK('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n'),
    after: BLOCK('User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n'),
    settings: { 'ai-train': 'allowed' },
    options: SIGNAL,
  },
  {
    title: 'a format that is not selected is not added, but must not say the opposite',
    before: 'User-agent: *\nContent-Signal: ai-train=yes\nUser-agent: a\nAllow: /\n',
    after: 'User-agent: *\nContent-Signal: ai-train=no\nUser-agent: a\nContent-Usage: train-ai=n\nAllow: /\n',
    options: USAGE,
  },
  {
    title: 'the group of a policy token that disallows everything stays',
    before: `User-agent: Applebot-Extended\nUser-agent: Google-Extended\nDisallow: /\n`,
    after: `User-agent: Applebot-Extended\nUser-agent: Google-Extended\nDisallow: /\n`,
    options: TOKENS,
  },
  {
    title: 'rules of a policy token change in place',
    before:
      'User-agent: Google-Extended\nAllow: /a # x\nDisallow: /b\n\nUser-agent: Applebot-Extended\nDisallow:\n',
    after:
      'User-agent: Google-Extended\nDisallow: /\nDisallow: /a # x\nDisallow: /b\n\nUser-agent: Applebot-Extended\nDisallow: /\n',
    options: TOKENS,
  },
  {
    title: 'a policy token leaves a group with rules for other crawlers that contradict the setting',
    before: 'User-agent: Google-Extended # AI\nUser-agent: GPTBot\nAllow: /\n',
    after: `# AI\nUser-agent: GPTBot\nAllow: /\n\n${TOKEN_GROUP}`,
    options: TOKENS,
  },
  {
    title: 'a policy token stays in a group that disallows less, and gets a further group',
    before: 'User-agent: Google-Extended\nUser-agent: GPTBot\nDisallow: /a\n',
    after: `User-agent: Google-Extended\nUser-agent: GPTBot\nDisallow: /a\n\n${TOKEN_GROUP}`,
    options: TOKENS,
  },
  {
    title: 'a permission for all purposes of a policy token is a group that allows everything',
    before: 'User-agent: Google-Extended\nDisallow: /\n',
    after: 'User-agent: Google-Extended\nAllow: /\n\nUser-agent: Applebot-Extended\nAllow: /\n',
    settings: { 'ai-train': 'allowed', 'ai-input': 'allowed' },
    options: TOKENS,
  },
  {
    title: 'a permission is written for the token of a crawler that obeys the group of another one',
    before: 'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:\n',
    after:
      'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nContent-Signal: ai-train=yes\nDisallow:\n\nUser-agent: Google-Extended\nUser-agent: Applebot-Extended\nAllow: /\n',
    settings: { 'ai-train': 'allowed' },
    options: { formats: ['content-signal'] },
  },
  {
    title: 'a permission for one purpose of a policy token gets no group, because it would allow the others',
    before: '',
    after: 'User-agent: Applebot-Extended\nAllow: /\n',
    settings: { 'ai-train': 'allowed' },
    options: TOKENS,
  },
  {
    title:
      'the rules for * contradict a permission for a crawler with rules of its own, so the policy token gets a group',
    before: 'User-agent: *\nDisallow: /x\n\nUser-agent: Googlebot\nContent-Usage: train-ai=y\nAllow: /\n',
    after:
      'User-agent: *\nContent-Usage: train-ai=y\nDisallow: /x\n\nUser-agent: Googlebot\nContent-Usage: train-ai=y\nAllow: /\n\nUser-agent: Google-Extended\nUser-agent: Applebot-Extended\nAllow: /\n',
    settings: { 'ai-train': 'allowed' },
    options: USAGE,
  },
  {
    title: 'a policy token of the caller gets a group, too',
    before: 'User-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n',
    after: 'User-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n\nUser-agent: Some-Policy\nDisallow: /\n',
    options: { formats: ['policy-token'], policyTokens: [createPolicyToken('Some-Policy')] },
  },
  {
    title: 'a file that disallows everything stays',
    before: 'User-agent: *\nDisallow: /\n',
    after: 'User-agent: *\nDisallow: /\n',
    options: {},
  },
];

test.each(CASES)('$title', ({ before, after, settings = TRAIN, options = LINES }) => {
  const { bytes } = set(before, settings, options);
  expect(toText(bytes)).toBe(after);
  const again = set(after, settings, options);
  expect(again.edits).toEqual([]);
  expect(toText(again.bytes)).toBe(after);
});

test.each([
  { title: 'an HTML page', file: '<!DOCTYPE html>\n<p>404</p>\n', code: 'not-robots-txt' },
  {
    title: 'a policy token that refuses one purpose and another one that is allowed',
    file: 'User-agent: Google-Extended\nDisallow: /\n',
    settings: { 'ai-train': 'disallowed', 'ai-input': 'allowed' } as const,
    code: 'inseparable-purposes',
  },
  {
    title: 'a policy token whose user-agent line a declaration depends on',
    file: 'User-agent: Google-Extended\nContent-Usage: train-ai=n\nUser-agent: *\nAllow: /\n',
    code: 'shared-group',
  },
  {
    title: 'a line at the length limit that must grow',
    file: `User-agent: *\nContent-Signal: ${'x'.repeat(16_663 - 'Content-Signal: ,ai-train=no'.length)},ai-train=no`,
    settings: { 'ai-train': 'allowed' } as const,
    options: { ...SIGNAL },
    code: 'setting-not-reached',
  },
  {
    title: 'a rule of a policy token at the length limit that must grow',
    file: `User-agent: Google-Extended\nAllow: /${'x'.repeat(16_663 - 'Allow: /'.length)}`,
    code: 'setting-not-reached',
  },
  {
    title: 'a file at the size limit',
    file: 'User-agent: *\nAllow: /\n',
    options: { maxBytes: 30 },
    code: 'file-too-long',
  },
  {
    title: 'a file beyond the size limit',
    file: 'User-agent: *\nAllow: /\n',
    options: { maxBytes: 15 },
    code: 'file-too-long',
  },
  {
    title: 'a tdmrep.json that is not one',
    file: '',
    options: { formats: ['tdmrep'], tdmrep: '{}' } as SetPreferencesOptions,
    code: 'invalid-tdmrep',
  },
  {
    title: 'a tdmrep.json whose values are nested too deeply to be written',
    file: '',
    options: {
      formats: ['tdmrep'],
      tdmrep: `[{"location": "/", "further": ${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
    } as SetPreferencesOptions,
    code: 'invalid-tdmrep',
  },
  {
    title: 'a proof that exceeds its budget',
    file: 'User-agent: *\nAllow: /\n'.repeat(100),
    options: { maxStates: 1 },
    code: 'proof-undecided',
  },
])('$title is refused as $code', ({ file, settings = TRAIN, options = {}, code }) => {
  expect(setPreferences(file, settings, options)).toMatchObject({ kind: 'refused', code });
});

test('a file beyond the size limit that already states the settings stays as it is', () => {
  const file = `User-agent: *\n${REFUSED}\n# end\n`;
  const result = set(file, TRAIN, { ...LINES, maxBytes: file.length - 3 });
  expect(toText(result.bytes)).toBe(file);
});

test('the edits name lines, texts, reasons and managed blocks', () => {
  const block = BLOCK('User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n');
  expect(set(`${block}User-agent: a\nAllow: /`, { 'ai-train': 'allowed' }, SIGNAL).edits).toEqual([
    {
      line: 4,
      removed: 'Content-Signal: ai-train=no',
      added: ['Content-Signal: ai-train=yes'],
      reason: 'opposite-statement',
      message: 'the line states the opposite about ai-train',
      managedBy: 'Cloudflare',
    },
    {
      line: 8,
      removed: null,
      added: ['Content-Signal: ai-train=yes'],
      reason: 'missing-statement',
      message: 'the group of a does not state it',
      managedBy: null,
    },
  ]);
});

test('an edit names the purposes by reason', () => {
  const file = 'User-agent: *\nContent-Signal: ai-train=yes\n';
  expect(set(file, TRAIN_AND_SEARCH, SIGNAL).edits.map(({ message }) => message)).toEqual([
    'the line states the opposite about ai-train; the crawlers of the group read no statement about search',
  ]);
});

test('the limits name what a format cannot state', () => {
  const { limits, proof } = set(
    '',
    { ...TRAIN_AND_SEARCH },
    { formats: ['content-usage', 'policy-token', 'tdmrep'] },
  );
  expect(limits.map(({ code, format, token, purpose }) => [code, format, token, purpose])).toEqual([
    ['purpose-without-label', 'policy-token', null, 'search'],
    ['further-purpose', 'policy-token', 'Google-Extended', 'ai-input'],
    ['purpose-without-label', 'tdmrep', null, 'search'],
    ['crawlers-without-global-group', null, null, null],
  ]);
  expect(proof.exceptions).toEqual(['Google-Extended', 'Applebot-Extended']);
  const separate = set('', { 'ai-train': 'disallowed', 'ai-input': 'allowed' }, TOKENS);
  expect(separate.limits.map(({ code, token }) => [code, token])).toEqual([
    ['purposes-not-separable', 'Google-Extended'],
  ]);
  expect(separate.proof.exceptions).toEqual(['Applebot-Extended']);
});

test('the proof excepts no name if no policy token changes', () => {
  expect(set('User-agent: *\nAllow: /\n', TRAIN, LINES).proof.exceptions).toEqual([]);
});

test.each([
  { title: 'is created', present: undefined, expected: [{ location: '/', 'tdm-reservation': 1 }] },
  {
    title: 'keeps its rules and their policies',
    present: '[{"location":"/a","tdm-reservation":0,"tdm-policy":"p"},{"location":"/*"}]',
    expected: [
      { location: '/a', 'tdm-reservation': 1, 'tdm-policy': 'p' },
      { location: '/*', 'tdm-reservation': 1 },
    ],
  },
])('a tdmrep.json $title', ({ present, expected }) => {
  const options: SetPreferencesOptions = {
    formats: ['tdmrep'],
    ...(present !== undefined && { tdmrep: present }),
  };
  const { tdmrep, edits } = set('User-agent: *\nAllow: /\n', TRAIN, options);
  expect(edits).toEqual([]);
  expect(JSON.parse(tdmrep ?? '')).toEqual(expected);
  expect(set('', TRAIN, { formats: ['tdmrep'], tdmrep: tdmrep ?? '' }).tdmrep).toBe(tdmrep);
  const report = readPreferences({ tdmrep: tdmrep ?? '' }, 'GPTBot', 'https://example.com/a?b');
  expect(report.purposes['ai-train']?.value).toBe('disallowed');
});

const AI_CRAWLERS = CRAWLER_RECORDS.filter(
  ({ kind, purposes }) => kind === 'crawler' && purposes.some((purpose) => purpose.startsWith('ai-')),
).map(({ token }) => token);

test.each([
  {
    title: 'with groups of their own',
    file: AI_CRAWLERS.map((token) => `User-agent: ${token}\nDisallow: /x\n`).join('\n'),
  },
  { title: 'without groups of their own', file: 'User-agent: *\nDisallow: /x\n' },
])('every documented AI crawler reads the refusal, $title', ({ file }) => {
  expect(AI_CRAWLERS.length).toBeGreaterThan(20);
  const policy = { kind: 'rules', robots: parse(set(file, TRAIN).bytes) } as const;
  for (const token of AI_CRAWLERS) {
    const { purposes, conflicts } = readPreferences({ policy }, [token], 'https://example.com/a');
    expect([token, purposes['ai-train']?.readings, conflicts]).toEqual([
      token,
      { grouped: 'disallowed', global: 'disallowed' },
      [],
    ]);
  }
});

test('the linter has no warning about the result', () => {
  const file = 'User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nAllow: /\n\nUser-agent: CCBot\n';
  const findings = lint(parse(set(file, TRAIN_AND_SEARCH).bytes));
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

test.each([
  { title: 'no settings', settings: {}, message: 'the settings are empty' },
  {
    title: 'an unknown purpose',
    settings: { training: 'allowed' },
    message: 'unknown purpose "training": use search, ai-train, ai-input',
  },
  {
    title: 'an unknown value',
    settings: { search: 'yes' },
    message: 'must be allowed or disallowed, not "yes"',
  },
  {
    title: 'settings that are not an object',
    settings: null,
    message: 'settings must be an object, not null',
  },
])('$title cause an error', ({ settings, message }) => {
  expect(() => setPreferences('', settings as PreferenceSettings)).toThrow(message);
});

test.each([
  { options: { formats: [] }, message: 'the list of formats is empty' },
  {
    options: { formats: ['rsl'] },
    message: 'unknown format "rsl": use content-usage, content-signal, policy-token, usage-token, tdmrep',
  },
  { options: { policyTokens: [createPolicyToken('a b')] }, message: 'not a product token: "a b"' },
  { options: { maxBytes: -1 }, message: 'maxBytes' },
])('invalid options cause an error: $message', ({ options, message }) => {
  expect(() => setPreferences('', TRAIN, options as SetPreferencesOptions)).toThrow(message);
});

import { describe, expect, test } from 'vitest';
import { fix, lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

/** Lints a group for `*` with a line, and returns the findings about the line. */
const lintLine = (line: string) =>
  lint(parse(`User-agent: *\n${line}\nDisallow: /x\n`)).filter((finding) => finding.line === 2);

/** Returns the findings of a file as `line code`. */
const listFindings = (text: string) => lint(parse(text)).map(({ code, line }) => `${line} ${code}`);

test.each([
  'Content-Usage: train-ai=n',
  'content-usage: /blog/ train-ai=n, search=y',
  'Content-Usage: /*.pdf$ ai-use=n;note="#"',
  'Content-Usage: train-ai=n;exceptions=cc-cr-ec',
  'Content-Usage: train-ai=y,\tsearch=n',
  'Content-Signal: search=yes,ai-train=no,use=reference',
  'Content-signal: AI-Train=NO',
  'Content-Signals: search=yes, ai-input=no',
  'Content-Signal: /blog/ ai-train=no',
])('a declaration without findings: %s', (line) => {
  // A `#` starts a comment also in a quoted string, so this dictionary ends too early.
  expect(lintLine(line).map(({ code }) => code)).toEqual(line.includes('#') ? ['invalid-preference'] : []);
});

describe('lines that declare nothing', () => {
  test.each([
    ['Content-Usage: Train-ai=n', 16, '"T" is upper case, and labels are lower case'],
    ['Content-Usage: search=y, train-AI=n', 32, '"A" is upper case, and labels are lower case'],
    ['Content-Usage: train-ai=n search=y', 27, 'a comma is missing before "s"'],
    ['Content-Usage: train-ai=n, ', 26, 'a comma is at its end'],
    ['Content-Usage: *.pdf train-ai=n', 16, 'a path must start with "/"'],
    ['Content-Usage: blog/ train-ai=n', 16, 'a path must start with "/"'],
    ['Content-Usage: train-ai = n', 25, 'a space beside "=" is not allowed'],
    ['Content-Usage: train-ai= n', 25, 'a space beside "=" is not allowed'],
    ['Content-Usage: /é/ trainé=n', 25, 'it contains a character outside ASCII'],
    ['Content-Usage: train-ai=n;', 26, 'it ends too early'],
    ['Content-Usage: train-ai=n;note="#"', 32, 'it ends too early'],
    ['Content-Usage: train-ai:n', 24, '":" is not allowed here'],
    ['Content-Usage:', 15, 'it has no labels'],
    ['Content-Usage: /blog/', 22, 'it has no labels'],
    ['Content-Signal: *', 17, 'no part of it has the form "label=yes" or "label=no"'],
  ])('%s', (line, column, reason) => {
    const field = line.split(':', 1)[0];
    expect(lintLine(line)).toMatchObject([
      {
        ...{ code: 'invalid-preference', severity: 'warning', column },
        message: `This ${field} declares nothing: ${reason}.`,
      },
    ]);
  });
});

describe('labels and values', () => {
  test.each([
    [
      'Content-Usage: ai-train=n',
      'unknown-preference-label',
      'Content-Usage has no label "ai-train", so it declares nothing with it. Write train-ai.',
    ],
    [
      'Content-Signal: train-ai=no, search=yes',
      'unknown-preference-label',
      'Content-Signal has no label "train-ai", so it declares nothing with it. Write ai-train.',
    ],
    [
      'Content-Signal: ai-personalization=yes, ai-retrieval=yes, a=yes, b=no',
      'unknown-preference-label',
      'Content-Signal has no label "ai-personalization", "ai-retrieval", "a" and 1 more, so it declares nothing with it. Its labels are search, ai-input, ai-train and use.',
    ],
    [
      'Content-Usage: genai=n, inference=n',
      'old-preference-label',
      'Only old AIPREF drafts define "genai" (draft-ietf-aipref-vocab-01 of 2025-06-18), "inference" (draft-ietf-aipref-vocab-01 of 2025-06-18); readers of the current draft ignore it. Write train-ai and ai-use.',
    ],
    [
      'Content-Usage: bots=y',
      'old-preference-label',
      'Only old AIPREF drafts define "bots" (draft-ietf-aipref-vocab-04 of 2025-10-28); readers of the current draft ignore it. Write train-ai, ai-use and search.',
    ],
    [
      'Content-Usage: train-ai=no',
      'unknown-preference-value',
      'Content-Usage does not define the value in "train-ai=no", so it declares nothing with it. Write train-ai=n.',
    ],
    [
      'Content-Usage: /a search=yes',
      'unknown-preference-value',
      'Content-Usage does not define the value in "search=yes", so it declares nothing with it. Write search=y.',
    ],
    [
      'Content-Usage: search',
      'unknown-preference-value',
      'Content-Usage does not define the value in "search", so it declares nothing with it. Write search=y or search=n.',
    ],
    [
      'Content-Signal: ai-train=n',
      'unknown-preference-value',
      'Content-Signal does not define the value in "ai-train=n", so it declares nothing with it. Write ai-train=no.',
    ],
    [
      'Content-Signal: use=fully',
      'unknown-preference-value',
      'Content-Signal does not define the value in "use=fully", so it declares nothing with it. Write use=immediate, use=reference or use=full.',
    ],
  ])('%s', (line, code, message) => {
    expect(lintLine(line)).toMatchObject([
      { code, message, severity: code.startsWith('old') ? 'info' : 'warning' },
    ]);
  });
});

describe('places', () => {
  test('a declaration above the first user-agent line', () => {
    expect(listFindings('Content-Signal: ai-train=no\nUser-agent: *\nDisallow: /x\n')).toEqual([
      '1 preference-before-group',
    ]);
    expect(listFindings('Content-Usage: train-ai=n\n')).toEqual(['1 preference-before-group']);
  });

  test('Content-Usage between user-agent lines replaces the finding about merged groups', () => {
    const text = 'User-agent: a\nUser-agent: b\nContent-Usage: train-ai=n\nUser-agent: c\nDisallow: /\n';
    const findings = lint(parse(text));
    expect(findings).toMatchObject([
      {
        ...{ code: 'preference-between-user-agents', severity: 'warning', line: 3 },
        message:
          'The AIPREF draft ends the group above at this Content-Usage; crawlers that do not know the field do not, and apply the rules below to b too.',
      },
    ]);
    // Content-Signal is no rule under any reading.
    expect(listFindings(text.replace('Usage: train-ai=n', 'Signal: ai-train=no'))).toEqual([
      '3 merged-groups',
    ]);
  });

  test('Content-Usage between a rule and user-agent lines, or after the last one, is in one group for all readers', () => {
    const text =
      'User-agent: a\nContent-Usage: train-ai=n\nDisallow: /a\nContent-Usage: search=y\nUser-agent: b\nDisallow: /\n';
    expect(listFindings(text)).toEqual([]);
  });
});

const SIGNAL = 'Content-Signal: search=yes, ai-train=no';
const STAR = `User-agent: *\n${SIGNAL}\nDisallow: /x\n`;

/** Returns the messages of a code as `line message`. */
const listMessages = (text: string, code: string) =>
  lint(parse(text)).flatMap((each) => (each.code === code ? [`${each.line} ${each.message}`] : []));

describe('a declaration at the end of the last group, below a blank line', () => {
  const GROUPS = 'User-agent: *\nDisallow: /x\n\nUser-agent: Slurp\nUser-agent: GPTBot\nDisallow: /y\n';

  test('it reaches only the crawlers of that group', () => {
    expect(lint(parse(`${GROUPS}\n# Content signals\n${SIGNAL}\n`))).toMatchObject([
      {
        ...{ code: 'preference-after-last-group', severity: 'warning', line: 9 },
        message:
          'This Content-Signal belongs to the group for Slurp, GPTBot, because blank lines and comments do not end a group, and reaches no other crawler, whether it is read by group or for the whole site. If it is for all crawlers, move it below "User-agent: *".',
      },
    ]);
  });

  test.each<[text: string, codes: readonly string[]]>([
    [`${GROUPS}\n${SIGNAL}\n`, ['8 preference-after-last-group']],
    [`${GROUPS}\nContent-Usage: train-ai=n\n`, ['8 preference-after-last-group']],
    // One finding for all lines.
    [
      `${GROUPS}\nContent-Signal: ai-train=no\nContent-Signal: search=yes\n`,
      ['8 preference-after-last-group'],
    ],
    [`${GROUPS}Sitemap: https://example.com/sitemap.xml\n${SIGNAL}\n`, ['8 preference-after-last-group']],
    // It replaces the finding about content that may not be fetched.
    [`${GROUPS.replace('/y', '/')}\nContent-Signal: ai-train=yes\n`, ['8 preference-after-last-group']],
    // The group has the declaration in its midst, or other lines without a gap.
    [`${GROUPS}${SIGNAL}\n`, []],
    [`${GROUPS}Cache-delay: 1\n${SIGNAL}\n`, ['7 unknown-field']],
    [`${GROUPS}\n${SIGNAL}\nUser-agent: bingbot\nDisallow: /z\n`, []],
    // Another group has a declaration, too, or the group is that for all crawlers.
    [`${GROUPS.replace('Disallow: /x', `Content-Usage: search=y\nDisallow: /x`)}\n${SIGNAL}\n`, []],
    [`User-agent: *\nDisallow: /x\n\n${SIGNAL}\n`, []],
    [`User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /x\n\n${SIGNAL}\n`, []],
  ])('%j', (text, codes) => {
    expect(listFindings(text)).toEqual(codes);
  });
});

describe('preferences for * that do not reach AI crawlers', () => {
  const CODE = 'preference-missing-in-own-group';

  test.each<[reason: string, text: string, lines: readonly number[]]>([
    ['a crawler that trains models', `${STAR}User-agent: GPTBot\nDisallow: /y\n`, [4]],
    ['regardless of case and order', `User-agent: gptbot\nAllow: /y\n\n${STAR}`, [1]],
    ['at the last of several agents', `${STAR}User-agent: CCBot\nUser-agent: bingbot\nDisallow: /y\n`, [5]],
    ['a name with digits', `${STAR}User-agent: AI2Bot\nDisallow: /y\n`, [4]],
    ['each crawler has one finding', `${STAR}${'User-agent: GPTBot\nDisallow: /y\n'.repeat(3)}`, [4]],
    ['a group without rules', `${STAR}User-agent: GPTBot\n`, [4]],
    ['the group for * is after it', `User-agent: GPTBot\nDisallow: /y\n${STAR}`, [1]],
    ['the crawler may fetch nothing', `${STAR}User-agent: GPTBot\nDisallow: /\n`, []],
    [
      'nothing, in another group',
      `${STAR}User-agent: GPTBot\nDisallow: /y\nUser-agent: GPTBot\nDisallow: /\n`,
      [],
    ],
    [
      'a declaration in another group',
      `${STAR}User-agent: GPTBot\nDisallow: /y\n\nUser-agent: GPTBot\n${SIGNAL}\n`,
      [],
    ],
    ['another format', `${STAR}User-agent: GPTBot\nContent-Usage: train-ai=n\nDisallow: /y\n`, []],
    ['a search engine', `${STAR}User-agent: bingbot\nDisallow: /y\n`, []],
    ['a policy token sends no requests', `${STAR}User-agent: Google-Extended\nDisallow: /y\n`, []],
    ['in the group for *', `User-agent: GPTBot\n${STAR}`, []],
    ['no refusal', `${STAR.replace('no', 'yes')}User-agent: GPTBot\nDisallow: /y\n`, []],
    [
      'only search is refused',
      'User-agent: *\nContent-Usage: search=n\nDisallow: /x\nUser-agent: GPTBot\nDisallow: /y\n',
      [],
    ],
  ])('%s', (_, text, lines) => {
    expect(lint(parse(text)).flatMap(({ code, line }) => (code === CODE ? [line] : []))).toEqual(lines);
  });

  test('the message names the lines and the crawlers', () => {
    const agents = ['GPTBot', 'CCBot', 'ClaudeBot', 'Bytespider', 'PerplexityBot', 'YouBot', 'bingbot'];
    const text = `${STAR}${agents.map((agent) => `User-agent: ${agent}\n`).join('')}Disallow: /y\n`;
    expect(listMessages(text, CODE)).toEqual([
      '10 The preferences for "*" (line 2) do not reach GPTBot, CCBot, ClaudeBot, Bytespider, PerplexityBot and 1 more if they are read by group: a crawler reads only its own group if it has one. Read for the whole site, they do. Repeat them here.',
    ]);
  });

  test.each([
    [
      'LF',
      `${STAR}User-agent: GPTBot # one\nDisallow: /y\n`,
      `${STAR}User-agent: GPTBot # one\n${SIGNAL}\nDisallow: /y\n`,
    ],
    [
      'CRLF',
      `${STAR}User-agent: GPTBot\nDisallow: /y\n`.replaceAll('\n', '\r\n'),
      `${STAR}User-agent: GPTBot\n${SIGNAL}\nDisallow: /y\n`.replaceAll('\n', '\r\n'),
    ],
    [
      'CR',
      `${STAR}User-agent: GPTBot\nDisallow: /y\n`.replaceAll('\n', '\r'),
      `${STAR}User-agent: GPTBot\n${SIGNAL}\nDisallow: /y\n`.replaceAll('\n', '\r'),
    ],
    ['at the end', `${STAR}User-agent: GPTBot`, `${STAR}User-agent: GPTBot\n${SIGNAL}`],
    [
      'with a misspelled field',
      `${STAR}Useragent GPTBot\nDisallow: /y\n`,
      `${STAR}User-agent: GPTBot\n${SIGNAL}\nDisallow: /y\n`,
    ],
    [
      'several lines with paths, and none twice',
      `${STAR.replace(SIGNAL, `${SIGNAL}\nContent-Usage: /é train-ai=n # why\n${SIGNAL}`)}User-agent: GPTBot\nDisallow: /y\n`,
      `${STAR.replace(SIGNAL, `${SIGNAL}\nContent-Usage: /é train-ai=n # why\n${SIGNAL}`)}User-agent: GPTBot\n${SIGNAL}\nContent-Usage: /é train-ai=n\nDisallow: /y\n`,
    ],
  ])('the fix repeats the statements: %s', (_, text, expected) => {
    const robots = parse(text);
    const fixed = fix(robots, lint(robots));
    expect(Buffer.from(fixed.bytes).toString()).toBe(expected);
    expect(fixed.resolved.map(({ code }) => code)).toContain(CODE);
    expect(listMessages(expected, CODE)).toEqual([]);
  });

  test('long lists of statements are not repeated', () => {
    const lines = Array.from({ length: 21 }, (_, index) => `Content-Usage: /${index} train-ai=n\n`).join('');
    const text = `User-agent: *\n${lines}Disallow: /x\nUser-agent: GPTBot\nDisallow: /y\n`;
    const [finding] = lint(parse(text)).filter(({ code }) => code === CODE);
    expect(finding).toBeDefined();
    expect(finding?.fix).toBeUndefined();
  });
});

test.each<[text: string, messages: readonly string[]]>([
  [
    'User-agent: a\nContent-Usage: train-ai=y, search=y\nDisallow: /\n',
    [
      '2 This line allows ai-train, but line 3 forbids these crawlers to fetch any URL: a preference has no effect on content that may not be fetched.',
    ],
  ],
  [
    'User-agent: a\nDisallow: /*\nUser-agent: a\nContent-Signal: ai-train=yes, ai-input=yes\n',
    [
      '4 This line allows ai-train and ai-input, but line 2 forbids these crawlers to fetch any URL: a preference has no effect on content that may not be fetched.',
    ],
  ],
  ['User-agent: a\nContent-Usage: train-ai=n, search=y\nDisallow: /\n', []],
  ['User-agent: a\nContent-Usage: train-ai=y\nDisallow: /\nAllow: /a\n', []],
  ['User-agent: a\nContent-Usage: train-ai=y\nDisallow: /\nUser-agent: a\nAllow: /a\n', []],
  ['User-agent: a\nUser-agent: b\nContent-Usage: train-ai=y\nDisallow: /\nUser-agent: b\nAllow: /\n', []],
])('use without crawl: %j', (text, messages) => {
  expect(listMessages(text, 'use-without-crawl')).toEqual(messages);
});

const COUNTS =
  'maycrawl counts the refusal, as the AIPREF draft does; other readers do not document which line counts.';

test.each<[lines: string, messages: readonly string[]]>([
  [
    'Content-Usage: train-ai=n, ai-use=n\nContent-Signal: ai-train=yes, ai-input=yes',
    [
      `3 This line allows ai-train, ai-input, and line 2 (Content-Usage) refuses it for the same crawlers and paths. ${COUNTS}`,
    ],
  ],
  [
    'Content-Signal: /a ai-train=yes\nContent-Signals: /a ai-train=no',
    [
      `3 This line refuses ai-train, and line 2 (Content-Signal) allows it for the same crawlers and paths. ${COUNTS}`,
    ],
  ],
  [
    'Content-Signal: search=yes\nDisallow: /x\nUser-agent: a\nDisallow: /y\nUser-agent: *\nContent-Usage: search=n',
    [
      `7 This line refuses search, and line 2 (Content-Signal) allows it for the same crawlers and paths. ${COUNTS}`,
    ],
  ],
  ['Content-Signal: /a ai-train=yes\nContent-Signal: /b ai-train=no', []],
  ['Content-Signal: ai-train=yes\nContent-Usage: train-ai=y, search=n', []],
  ['Content-Usage: all=n, search=y\nContent-Signal: ai-train=no, search=yes', []],
  ['Content-Signal: ai-train=yes\nDisallow: /x\nUser-agent: a\nContent-Signal: ai-train=no', []],
])('conflicting preferences: %j', (lines, messages) => {
  expect(listMessages(`User-agent: *\n${lines}\nDisallow: /z\n`, 'conflicting-preferences')).toEqual(
    messages,
  );
});

describe('blocks that a vendor manages', () => {
  const BLOCK =
    '# BEGIN Cloudflare Managed content\nUser-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\n';
  const TO_GPTBOT =
    'The block that Cloudflare manages (lines 1-7) has a group for GPTBot, too, and crawlers combine both groups: line 6 disallows every URL except those that an Allow of your group matches.';
  const TO_ALL =
    'The block that Cloudflare manages (lines 1-7) has a group for *, too, and crawlers combine both groups: line 3 allows every URL, so "Disallow: /" on line 9 has no effect.';

  test.each<[text: string, messages: readonly string[]]>([
    [`${BLOCK}User-agent: GPTBot\nDisallow: /a\n`, [`8 ${TO_GPTBOT}`]],
    [`${BLOCK}User-agent: GPTBot\nAllow: /a\n`, [`8 ${TO_GPTBOT}`]],
    [`${BLOCK}User-agent: *\nDisallow: /\n`, [`8 ${TO_ALL}`]],
    [
      `${BLOCK.replaceAll(/managed content/gi, 'MANAGED CONTENT')}User-agent: *\nDisallow: /\n`,
      [`8 ${TO_ALL}`],
    ],
    [
      `User-agent: GPTBot\nDisallow: /a\n${BLOCK.replaceAll('Cloudflare', 'adm.tools')}`,
      [`1 ${TO_GPTBOT.replace('Cloudflare', 'adm.tools').replace('1-7', '3-9').replace('line 6', 'line 8')}`],
    ],
    [`${BLOCK}User-agent: GPTBot\nDisallow: /\n`, []],
    [`${BLOCK}User-agent: *\nDisallow: /a\n`, []],
    // Longer than the allow rule.
    [`${BLOCK}User-agent: *\nDisallow: /*\n`, []],
    [`${BLOCK}User-agent: bingbot\nDisallow: /a\n`, []],
    // Without an end, the block is unknown.
    [`${BLOCK.replace(/# END.*\n/, '')}User-agent: GPTBot\nDisallow: /a\n`, []],
  ])('%#', (text, messages) => {
    expect(listMessages(text, 'managed-block-conflict')).toEqual(messages);
  });
});

describe('the comment about content signals', () => {
  const COMMENT =
    '# As a condition of accessing this website, you agree to\n# abide by the following Content-Signals:\n# ai-train: training\n';

  test.each<[text: string, codes: readonly string[]]>([
    [COMMENT, ['1 licence-comment-only']],
    [COMMENT.replace('this website', '\n# this website').replace('-S', ' s'), ['1 licence-comment-only']],
    [`User-agent: *\nDisallow: /x\n${COMMENT}`, ['3 licence-comment-only']],
    [`${COMMENT}${STAR}`, []],
    ['# As a condition of accessing this website, you agree to our terms.\n', []],
    ['# See contentsignals.org about content signals.\n', []],
  ])('%j', (text, codes) => {
    expect(listFindings(text)).toEqual(codes);
  });
});

test.each(['DisallowAITraining', 'AllowAITraining', 'disallow-ai', 'Disallow_Train'])(
  '%s: Google reads a rule, and there is no fix that makes it one',
  (field) => {
    const [finding, second] = lint(parse(`User-agent: *\n${field}: /\n`));
    const rule = /^dis/i.test(field) ? 'disallow' : 'allow';
    expect(finding).toEqual({
      ...{ code: 'field-name-suffix', severity: 'warning', line: 2, column: 1, length: field.length },
      message: `Google reads "${field}" as "${rule}", which it starts with: for Google the line is about crawling, not only about AI. No large operator is known to support "${field}".`,
    });
    expect(second?.code).toBe(rule === 'disallow' ? 'everything-blocked' : 'redundant-rule-by-default');
  },
);

test('a long file of declarations is linted line by line', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `Content-Usage: /${index} train-ai=no`);
  const findings = lint(parse(`User-agent: *\n${lines.join('\n')}\nDisallow: /x\n`));
  expect(findings.length).toBe(5_000);
});

test('a long file with groups of AI crawlers, agents and declarations has findings of bounded size', () => {
  const agents = Array.from({ length: 1000 }, (_, index) => `User-agent: a${index}\n`).join('');
  const lines = Array.from({ length: 1000 }, (_, index) => `Content-Usage: /${index} train-ai=n\n`).join('');
  const groups = 'User-agent: GPTBot\nDisallow: /y\n'.repeat(1000);
  const findings = lint(parse(`${agents}User-agent: *\n${lines}Disallow: /x\n${groups}`));
  expect(findings.filter(({ code }) => code === 'preference-missing-in-own-group').length).toBe(1);
  expect(Math.max(...findings.map(({ message }) => message.length))).toBeLessThan(500);
});

import { describe, expect, test } from 'vitest';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/parse.ts';

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

test('a long file of declarations is linted line by line', () => {
  const lines = Array.from({ length: 15_000 }, (_, index) => `Content-Usage: /${index} train-ai=no`);
  const findings = lint(parse(`User-agent: *\n${lines.join('\n')}\nDisallow: /x\n`));
  expect(findings.length).toBe(15_000);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FINDING_SEVERITIES, fix, lint } from '../../src/lint.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { compareFiles } from '../../src/proofs/compare.ts';

const value = fc
  .array(fc.constantFrom('a', 'a', 'b', '*', '/', '.', '$', '?', ' ', '%25', '%41', 'é'), { maxLength: 4 })
  .map((chars) => `/${chars.join('')}`);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom('Allow:', 'disallow: ', 'dissallow ', 'disallows :', 'allow'),
        value,
        fc.constantFrom('', ' # why', '\r'),
      )
      .map(([kind, path, end]) => `${kind}${path}${end}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['user-agent: *', 'Useragent a # one', 'user-agent: googelbot', 'user-agent: 1'],
      ...['User agent: b/1', 'useragent gptbot # two', 'User-agent: CCBot'],
    ),
  },
  fc.constantFrom(
    '',
    '# text',
    'Sitemap: /s.xml',
    'crawl-delay: 5',
    'disallow:',
    'disallow: x',
    'noise',
    '\ufeff',
    'noindex: /',
    'Content-Usage: train-ai=n',
    'Content-Signal: /a ai-train=no, search=yes',
  ),
);
const file = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));

test('fixes change no verdict, and a fixed file has no fixable findings', () => {
  let fixCount = 0;
  fc.assert(
    fc.property(file, (text) => {
      const robots = parse(text);
      const findings = lint(robots);
      for (const { code, line: at, column, length } of findings) {
        expect(FINDING_SEVERITIES).toHaveProperty(code);
        expect(at).toBeGreaterThan(0);
        expect(column).toBeGreaterThan(0);
        expect(length).toBeGreaterThanOrEqual(0);
      }
      const { bytes, resolved } = fix(robots, findings);
      expect(resolved.length).toBe(findings.filter((finding) => finding.fix !== undefined).length);
      const after = parse(bytes);
      expect(compareFiles(robots, after).equivalent).toBe(true);
      expect(lint(after).filter((finding) => finding.fix !== undefined)).toEqual([]);
      fixCount += resolved.length;
    }),
    { numRuns: 100 },
  );
  expect(fixCount).toBeGreaterThan(125);
});

test('a file that exceeds its size limit is not fixed, because the bytes after the limit would be lost', () => {
  const text = 'Useragent: *\nDisallow: /a\n# end\n';
  const robots = parse(text, { maxBytes: text.length - 1 });
  expect(robots.truncated).toBe(true);
  const findings = lint(robots);
  expect(findings.some((finding) => finding.fix !== undefined)).toBe(true);
  expect(fix(robots, findings)).toEqual({ bytes: robots.bytes, resolved: [] });
});

test('fixes change only the lines of findings and keep all other bytes', () => {
  const text = '\ufeff# é\r\nUseragent:*\r\nDisallow: /a\r\ndisallow:/a/b\r\n\r\nnoise \u00ff\r';
  const robots = parse(text);
  expect(Buffer.from(fix(robots, lint(robots)).bytes).toString()).toBe(
    '\ufeff# é\r\nUser-agent: *\r\nDisallow: /a\r\n\r\nnoise \u00ff\r',
  );
});

test('a comment on the line of a removed rule stays', () => {
  const text = 'User-agent: *\nAllow: /a # why\n';
  const robots = parse(text);
  expect(Buffer.from(fix(robots, lint(robots)).bytes).toString()).toBe('User-agent: *\nDisallow: # why\n');
});

const getMessages = (text: string, code: string): string[] =>
  lint(parse(text))
    .filter((finding) => finding.code === code)
    .map(({ message }) => message);

test('the message of a rule that is redundant only together with others names their lines', () => {
  const text = 'User-agent: *\nDisallow: /p/\nAllow: /p/\n';
  expect(getMessages(text, 'redundant-rule-by-default')).toEqual([
    'Redundant: the URLs that it matches get the same verdict from other rules or by default.',
    'Redundant together with line 2: the URLs that it matches get the same verdict from other rules or by default.',
  ]);
});

test('rules whose proofs exceed the budget are reported in one finding', () => {
  const rules = Array.from({ length: 1000 }, (_, index) => `disallow: /*${index}*a*${index % 7}b*c\n`);
  const findings = lint(parse(`user-agent: *\n${rules.join('')}`), { maxStates: 50_000 });
  const undecided = findings.filter(({ code }) => code === 'rule-undecided');
  expect(undecided.length).toBe(1);
  expect(undecided[0]?.message).toMatch(
    /^Could not determine whether \d+ rules are redundant \(lines \d+-\d+\)/,
  );
});

const TRAILING_STARS: readonly (readonly [pattern: string, column: number])[] = [
  ['/a**', 3],
  ['/*', 2],
  ['/**', 2],
  [`/${'*'.repeat(16_000)}x`, 0],
  [`/${'*'.repeat(16_000)}`, 2],
  ['*', 0],
];

test.each(TRAILING_STARS.map(([pattern, expected]) => ({ start: pattern.slice(0, 20), pattern, expected })))(
  'stars at the end of $start are reported at their first character',
  ({ pattern, expected }) => {
    const finding = lint(parse(`user-agent: a\ndisallow:${pattern}\n`)).find(
      ({ code }) => code === 'trailing-star',
    );
    expect(finding === undefined ? 0 : finding.column - 'disallow:'.length).toBe(expected);
  },
);

test('agents with digits are compared as a whole: MJ12bot and MJ13bot are different', () => {
  const text =
    'user-agent: MJ12bot\ndisallow: /\n\nuser-agent: MJ13bot\ndisallow: /\n\nuser-agent: mj12bot\ndisallow: /a\n';
  expect(getMessages(text, 'repeated-agent')).toEqual([
    'mj12bot already has a group on line 1; crawlers combine both groups.',
  ]);
});

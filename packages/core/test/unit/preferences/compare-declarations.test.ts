import { describe, expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import {
  compareDeclarations,
  createPolicyToken,
  type DeclarationComparison,
} from '../../../src/preferences.ts';
import { Budget } from '../../../src/proofs.ts';

const compare = (before: string, after: string): DeclarationComparison =>
  compareDeclarations(parse(before), parse(after));

/** Shortens changes: purpose, values with lines, example. */
const listChanges = ({ changes }: DeclarationComparison): string[] =>
  changes.map(({ purpose, before, after, example }) => {
    const [was, is] = [before, after].map(
      ({ value, statement }) => `${value}${statement?.line ? `:${statement.line}` : ''}`,
    );
    return `${purpose} ${was} -> ${is} ${example}`;
  });

const OPEN = 'User-agent: *\nAllow: /\n';
const REFUSAL = 'User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n';

describe('effects', () => {
  test('a new refusal is a change for all crawlers that read the group', () => {
    const comparison = compare(OPEN, REFUSAL);
    expect(listChanges(comparison)).toEqual(['ai-train unknown -> disallowed:2 /']);
    const names = comparison.changes[0]?.crawlers.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['*', 'GPTBot', 'Googlebot']));
    // It obeys groups of its own only; the others send no requests.
    for (const name of ['AdsBot-Google', 'Google-Extended', 'Applebot-Extended'])
      expect(names).not.toContain(name);
  });

  test.each([
    [
      'lines that move',
      'User-agent: *\nDisallow: /x\nContent-Usage: train-ai=n\n',
      'User-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n',
    ],
    ['a label of an earlier draft', REFUSAL, REFUSAL.replace('train-ai', 'ai')],
    ['another format', REFUSAL, REFUSAL.replace('Content-Usage: train-ai=n', 'Content-Signal: ai-train=no')],
    ['a repeated line', REFUSAL, REFUSAL.replace('Allow', 'content-usage: train-ai=n\nAllow')],
    [
      'an equal pattern',
      'User-agent: *\nContent-Usage: /a train-ai=n',
      'User-agent: *\nContent-Usage: /a* train-ai=n',
    ],
    ['a changed rule', REFUSAL, REFUSAL.replace('Allow: /', 'Disallow: /cart')],
  ])('%s change nothing', (_name, before, after) => {
    for (const [old, now] of [
      [before, after],
      [after, before],
    ] as const)
      expect(compare(old, now)).toMatchObject({ equivalent: true, changes: [], licenses: [], undecided: [] });
  });

  test('lines that are written differently are listed', () => {
    expect(compare(REFUSAL, REFUSAL.replace('train-ai', 'ai')).wording).toEqual({
      removed: [{ line: 2, text: 'Content-Usage: train-ai=n' }],
      added: [{ line: 2, text: 'Content-Usage: ai=n' }],
    });
  });

  test('a longer path replaces a shorter one where it matches', () => {
    const before = 'User-agent: *\nContent-Usage: /blog/ train-ai=n\n';
    expect(listChanges(compare(before, `${before}Content-Usage: /blog/open/ train-ai=y\n`))).toEqual([
      'ai-train disallowed:2 -> allowed:3 /blog/open/',
    ]);
  });

  test('a rule for a policy token is a change for the crawlers that it governs', () => {
    const { changes } = compare(OPEN, `${OPEN}\nUser-agent: Applebot-Extended\nDisallow: /\n`);
    expect(changes).toMatchObject([
      {
        crawlers: [{ name: 'Applebot' }],
        purpose: 'ai-train',
        after: {
          value: 'disallowed',
          statement: { format: 'policy-token', label: 'Applebot-Extended', line: 5 },
        },
      },
    ]);
  });

  test('policy tokens of the caller are read', () => {
    const options = { policyTokens: [createPolicyToken('Train')] };
    const after = parse(`${OPEN}\nUser-agent: Train\nDisallow: /\n`);
    expect(compareDeclarations(parse(OPEN), after, options).changes).toHaveLength(1);
    expect(() => compareDeclarations(after, after, { policyTokens: [createPolicyToken('a b')] })).toThrow(
      RangeError,
    );
  });

  test('only the given crawlers are compared', () => {
    const crawlers = [{ name: 'GPTBot', crawler: 'GPTBot' }];
    expect(compareDeclarations(parse(OPEN), parse(REFUSAL), { crawlers }).changes[0]?.crawlers).toEqual(
      crawlers,
    );
  });

  test('licences are compared by group', () => {
    const license = 'License: https://example.com/a.xml\n';
    expect(compare(OPEN, `${license}${OPEN}`).licenses).toMatchObject([
      { before: [], after: [{ url: 'https://example.com/a.xml', line: 1 }] },
    ]);
    expect(compare(`${license}${OPEN}`, `# comment\n${license}${OPEN}`).equivalent).toBe(true);
  });
});

describe('URLs that a crawler may not fetch', () => {
  const block = 'User-agent: GPTBot\nDisallow: /\n';

  test('a crawler that may fetch nothing after the edit has no change', () => {
    expect(compare(REFUSAL, `${REFUSAL}\n${block}`)).toMatchObject({ equivalent: true });
  });

  test('a crawler that may fetch the site now reads the declarations, which are a change', () => {
    const { changes } = compare(`${REFUSAL}\n${block}`, REFUSAL);
    expect(changes).toMatchObject([{ crawlers: [{ name: 'GPTBot' }], before: { value: 'not-applicable' } }]);
  });

  test('rules for * that end change nothing that is declared', () => {
    expect(compare('User-agent: *\nDisallow: /cart\n', OPEN)).toMatchObject({
      equivalent: true,
      changes: [],
    });
  });
});

describe('limits', () => {
  const repeat = (count: number, write: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => write(index)).join('');
  const createStars = (letter: string): string =>
    `User-agent: *\n${repeat(2_000, (index) => `Content-Usage: /*${index}*${letter} train-ai=n\n`)}`;

  test('a search that exceeds its budget is undecided, and names the crawlers', () => {
    const budget = new Budget(100_000);
    const comparison = compareDeclarations(parse(createStars('a')), parse(createStars('b')), { budget });
    expect(comparison).toMatchObject({ equivalent: null, changes: [] });
    expect(comparison.undecided.map(({ name }) => name)).toContain('GPTBot');
    expect(budget.spent).toBeLessThanOrEqual(200_000);
  });

  test('a budget that does not cover reading the files decides nothing', () => {
    const budget = new Budget(10);
    expect(compareDeclarations(parse(OPEN), parse(REFUSAL), { budget })).toMatchObject({
      equivalent: null,
      changes: [],
    });
  });

  test.each([
    [
      'agents',
      (count: number, value: string) =>
        repeat(count, (index) => `User-agent: a${index}b\nContent-Usage: train-ai=${value}\n`),
    ],
    [
      'paths',
      (count: number, value: string) =>
        `User-agent: *\n${repeat(count, (index) => `Content-Usage: /${index} train-ai=${value}\n`)}`,
    ],
  ])('the work grows linearly with the number of %s', (_name, createFile) => {
    const measureWork = (count: number): number => {
      const budget = new Budget();
      const { undecided } = compareDeclarations(
        parse(createFile(count, 'n')),
        parse(createFile(count, 'y')),
        { budget },
      );
      expect(undecided).toEqual([]);
      return budget.spent;
    };
    expect(measureWork(800)).toBeLessThan(12 * measureWork(100));
  });

  test('files of different profiles are not compared', () => {
    expect(() => compareDeclarations(parse(''), parse('', { profile: 'rfc9309' }))).toThrow(RangeError);
  });
});

import { parse } from '@maycrawl/core';
import { compareFiles } from '@maycrawl/core/proofs';
import { describe, expect, test } from 'vitest';
import { type PreferencePlan, planPreferences } from '../../src/tester/judging/plan-preferences.ts';
import { readDetails } from '../../src/tester/judging/preferences.ts';
import { createDiff } from '../../src/tester/preferences/edit-list.tsx';
import {
  describeLimit,
  describeProof,
  FIRST_CHOICES,
  toWishes,
  type WishChoices,
} from '../../src/tester/preferences/wishes.ts';
import { SAMPLE_TEXT } from '../../src/tester/state/sample.ts';

const plan = (
  text: string | Uint8Array,
  choices: WishChoices = FIRST_CHOICES,
  tdmrep = '',
): PreferencePlan => {
  const wishes = toWishes(choices, tdmrep);
  if (typeof wishes === 'string') throw new RangeError(wishes);
  return planPreferences(text, 'google', wishes);
};
const set = (...args: Parameters<typeof plan>): Extract<PreferencePlan, { kind: 'set' }> => {
  const made = plan(...args);
  if (made.kind !== 'set') throw new Error(made.message);
  return made;
};

describe('the edit that keeps search and refuses training', () => {
  test('reaches every crawler that may fetch pages, and changes the verdict of none', () => {
    const { bytes, exceptions } = set(SAMPLE_TEXT);
    const after = parse(bytes);
    for (const crawler of ['Googlebot', 'bingbot', 'CCBot', 'AnyOtherBot']) {
      const { report } = readDetails(
        after,
        { site: {}, page: {}, pageUrl: null },
        crawler,
        'https://a.example/',
      );
      expect(report.purposes, crawler).toMatchObject({
        search: { value: 'allowed' },
        'ai-train': { value: 'disallowed' },
      });
    }
    const { comparisons } = compareFiles(parse(SAMPLE_TEXT), after);
    const changed = comparisons.filter(({ equivalent }) => equivalent !== true);
    expect(changed.flatMap(({ crawlers }) => crawlers.map(({ name }) => name)).sort()).toEqual(
      [...exceptions].sort(),
    );
  });

  test('is described with its proof, and is empty the second time', () => {
    const first = set(SAMPLE_TEXT);
    expect(describeProof(first)).toBe(
      'Proved for every URL: no crawler gains or loses access to a page. Only the rules for Google-Extended and Applebot-Extended change. They are names for rules and send no requests.',
    );
    const second = set(first.text ?? '');
    expect([second.editCount, describeProof(second)]).toEqual([
      0,
      'The file already declares this. Nothing needs to change.',
    ]);
    const lines = set('', { ...FIRST_CHOICES, formats: ['content-usage'] });
    expect(describeProof(lines)).toBe('Proved for every URL: no crawler gains or loses access to a page.');
  });

  test('keeps the bytes of a file that is not UTF-8, which has no text to copy', () => {
    const bytes = Uint8Array.from('User-agent: *\nDisallow: /caf\xe9', (char) => char.charCodeAt(0));
    const made = set(bytes);
    expect(made.text).toBeNull();
    const verdict = parse(made.bytes).ruleset('AnyOtherBot').decide('/caf%E9');
    expect(verdict.kind).toBe('disallowed');
  });

  test('a page instead of a robots.txt is refused with a reason', () => {
    expect(plan('<!doctype html><html><body>404</body></html>')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('HTML'),
    });
  });

  test('the present tdmrep.json is edited, too', () => {
    const choices: WishChoices = { ...FIRST_CHOICES, formats: ['tdmrep'] };
    expect(JSON.parse(set('', choices).tdmrep ?? '')).toEqual([{ location: '/', 'tdm-reservation': 1 }]);
    const present = '[{"location":"/a","tdm-reservation":0,"tdm-policy":"https://a.example/p"}]';
    expect(JSON.parse(set('', choices, present).tdmrep ?? '')[0]).toMatchObject({
      'tdm-reservation': 1,
      'tdm-policy': 'https://a.example/p',
    });
    expect(plan('', choices, '{}')).toMatchObject({ kind: 'refused' });
  });

  test('limits are described without names of formats and purposes', () => {
    const all: WishChoices = {
      purposes: { search: 'allowed', 'ai-train': 'disallowed', 'ai-input': 'allowed' },
      formats: ['content-usage', 'content-signal', 'policy-token', 'tdmrep'],
    };
    for (const choices of [FIRST_CHOICES, all]) {
      const limits = plan(SAMPLE_TEXT, choices).limits.map(describeLimit);
      expect(limits.length).toBeGreaterThan(1);
      for (const limit of limits) {
        expect(limit).toMatch(/^[A-Z].*\.$/);
        expect(limit).not.toMatch(/ai-train|ai-input|policy-token|content-usage/);
      }
    }
    const limits = plan(SAMPLE_TEXT).limits.map(describeLimit);
    expect(limits).toContain(
      'Rules for Google-Extended are about AI answers, too: they cannot be separated.',
    );
  });
});

test.each([
  [
    { ...FIRST_CHOICES, purposes: { search: 'none', 'ai-train': 'none', 'ai-input': 'none' } as const },
    'at least one use',
  ],
  [{ ...FIRST_CHOICES, formats: [] }, 'at least one format'],
])('choices that lack something: %j', (choices, message) => {
  expect(toWishes(choices, '')).toContain(message);
});

describe('the diff', () => {
  const edit = { reason: 'missing-statement', message: '', managedBy: null } as const;

  test('has the lines before each edit, and a gap between edits', () => {
    const text = 'a\nb\nc\nd\ne\nf';
    const diff = createDiff(text, [
      { ...edit, line: 1, removed: null, added: ['x', 'y'] },
      { ...edit, line: 5, removed: 'e', added: ['E'] },
      { ...edit, line: 6, removed: null, added: ['', 'z'] },
    ]);
    expect(diff.map(({ sign, line, text: shown }) => `${sign}${line ?? ''} ${shown}`)).toEqual([
      ...[' 1 a', '+ x', '+ y', '… ', ' 3 c', ' 4 d', '-5 e', '+ E', ' 6 f', '+ ', '+ z'],
    ]);
  });

  test('applied to the text, it is the new file', () => {
    const made = set(SAMPLE_TEXT);
    const diff = createDiff(SAMPLE_TEXT, made.edits);
    const after = (made.text ?? '').split('\n');
    for (const { sign, text } of diff) if (sign === '+' || sign === ' ') expect(after).toContain(text);
    expect(
      diff.filter(({ sign }) => sign === '+').length - diff.filter(({ sign }) => sign === '-').length,
    ).toBe(after.length - SAMPLE_TEXT.split('\n').length);
  });
});

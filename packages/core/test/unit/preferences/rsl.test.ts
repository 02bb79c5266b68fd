import { expect, test } from 'vitest';
import { READINGS, readPreferences } from '../../../src/preferences.ts';

const DOCUMENT = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>
<permits type="usage">search</permits></license></content></rsl>`;

test.each(['/', 'https://a.example/'])('a content URL of 200,000 characters is read: %s', (start) => {
  const document = DOCUMENT.replace('url="/"', `url="${start}${'a'.repeat(200_000)}*"`);
  const read = (url: string): string | undefined =>
    readPreferences({ rsl: [{ url: null, text: document }] }, 'GPTBot', url).purposes['ai-train']?.value;
  expect(read(`https://a.example/${'a'.repeat(200_001)}`)).toBe('disallowed');
  expect(read('https://a.example/a')).toBe('unknown');
});

test('a report has each statement of a licence once, with all readings under which it counts', () => {
  const report = readPreferences({ rsl: [{ url: null, text: DOCUMENT }] }, 'GPTBot', 'https://a.example/');
  const { search, 'ai-train': training } = report.purposes;
  expect(search?.statements.map(({ countsUnder }) => countsUnder)).toEqual([
    READINGS.map(({ name }) => name),
  ]);
  // An RSL licence that says nothing about the uses that it does not list: only this reading has no statement.
  const others = READINGS.map(({ name }) => name).filter((name) => name !== 'listed-usages');
  expect(training?.statements.map(({ countsUnder }) => countsUnder)).toEqual([others]);
});

test('a document that was read for other crawlers is read again if its text has changed', () => {
  const forbid = '<content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content>';
  let text = `<rsl>${forbid}</rsl>`;
  const document = {
    url: null,
    get text(): string {
      return text;
    },
  };
  const read = (agent: string) =>
    readPreferences({ rsl: [document] }, agent, 'https://a.example/').purposes['ai-train']?.value;
  expect(['GPTBot', 'CCBot', 'GPTBot'].map(read)).toEqual(['disallowed', 'disallowed', 'disallowed']);
  text = '<rsl></rsl>';
  expect(read('GPTBot')).toBe('unknown');
});

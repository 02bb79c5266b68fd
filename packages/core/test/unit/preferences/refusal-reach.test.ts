import { expect, test } from 'vitest';
import { CRAWLER_RECORDS } from '../../../src/crawlers.ts';
import { parse } from '../../../src/model/robots-txt.ts';
import {
  describeRefusalReach,
  findRefusalPromises,
  findRefusalReach,
  listPromises,
  type WritableFormat,
} from '../../../src/preferences.ts';

const find = (text: string, purposes: readonly string[], formats: readonly WritableFormat[]) =>
  findRefusalReach(parse(text), { purposes, formats }, CRAWLER_RECORDS);

test('crawlers with a refused purpose that may fetch a URL are listed, the best known first', () => {
  const file = 'User-agent: *\nDisallow: /admin\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n';
  const tokens = find(file, ['ai-train'], ['content-usage']).mayFetch.map(({ token }) => token);
  expect(tokens).toEqual(expect.arrayContaining(['ClaudeBot', 'Amazonbot', 'Bytespider']));
  expect(tokens).not.toEqual(expect.arrayContaining(['GPTBot']));
  expect(tokens).not.toEqual(expect.arrayContaining(['CCBot']));
  // Policy tokens send no requests, retired crawlers do not exist, and the others have other purposes.
  for (const token of ['Google-Extended', '__usage_ai-training', 'anthropic-ai', 'AhrefsBot'])
    expect(tokens).not.toContain(token);
  const ranks = tokens.map((token) => CRAWLER_RECORDS.find((each) => each.token === token)?.rank ?? 1e6);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
});

test('a part of the site is enough to be listed, and no rule for a crawler that obeys * is', () => {
  const isListed = (file: string): boolean =>
    find(file, ['ai-train'], ['content-usage']).mayFetch.some(({ token }) => token === 'GPTBot');
  expect(isListed('User-agent: *\nDisallow: /\n')).toBe(false);
  expect(isListed('User-agent: *\nDisallow: /\nAllow: /blog/\n')).toBe(true);
  expect(isListed('')).toBe(true);
});

test('the promises about the written formats have their sources and dates, and other formats are named', () => {
  const { promises, unpromised } = find('', ['ai-train'], ['content-usage', 'policy-token', 'usage-token']);
  expect(
    promises.map(({ operator, label, status, date }) => `${operator} ${label} ${status} ${date}`),
  ).toEqual([
    'Google Google-Extended documented 2026-11-23',
    'Apple Applebot-Extended documented 2026-11-23',
    'Google __usage_ai-training announced 2026-10-30',
  ]);
  expect(unpromised).toEqual(['content-usage']);
  expect(find('', ['search'], ['policy-token'])).toMatchObject({
    promises: [],
    unpromised: ['policy-token'],
  });
});

test('each promise has a source and a date', () => {
  for (const { source, date } of listPromises()) {
    expect(source).toMatch(/^https:/);
    expect(date).toMatch(/^2\d{3}-\d\d/);
  }
});

test('the text says that a refusal is a request, who may still fetch, and who promised what', () => {
  const reach = find('User-agent: *\nDisallow: /admin\n', ['ai-train'], ['content-signal', 'policy-token']);
  const lines = describeRefusalReach(reach, ['ai-train']);
  expect(lines[0]).toMatch(
    /^A refusal is a request, not a barrier: these crawlers for ai-train may still fetch pages: .*GPTBot \(OpenAI\).* and \d+ more\. To keep one away, disallow it by name\.$/,
  );
  expect(lines.slice(1)).toEqual([
    'Google documents that it honours Google-Extended for ai-train and ai-input (https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers, 2026-11-23).',
    'Apple documents that it honours Applebot-Extended for ai-train (https://support.apple.com/en-us/119829, 2026-11-23).',
    'No operator is known to have promised to honour Content-Signal.',
  ]);
  const noCrawler = describeRefusalReach({ ...reach, mayFetch: [] }, ['ai-train', 'ai-input']);
  expect(noCrawler[0]).toBe(
    'A refusal is a request, not a barrier. The rules of the file keep all known crawlers for ai-train or ai-input away.',
  );
});

test('promises are found by the labels of the statements that refuse a use', () => {
  const refuse = (
    format: 'page' | 'content-signal',
    label: string,
    value = 'disallowed',
    reading = 'grouped',
  ) =>
    findRefusalPromises([
      { value, statements: [{ format, label, value: 'disallowed', countsUnder: [reading] }] },
    ]);
  expect(refuse('page', 'NoArchive')).toEqual({
    promises: [expect.objectContaining({ operator: 'Microsoft', label: 'noarchive' })],
    unpromised: [],
  });
  expect(refuse('content-signal', 'ai-train')).toEqual({ promises: [], unpromised: ['content-signal'] });
  const nothing = { promises: [], unpromised: [] };
  expect(refuse('page', 'noarchive', 'allowed')).toEqual(nothing);
  expect(refuse('page', 'noarchive', 'disallowed', 'global')).toEqual(nothing);
});

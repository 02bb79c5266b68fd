import { expect, test } from 'vitest';
import { parse } from '../../../src/model/robots-txt.ts';
import { compareRecords } from '../../../src/proofs/record-comparison.ts';

const compare = (before: string, after: string) => {
  const { addedNames, removedNames, changedAgents, ...rest } = compareRecords(parse(before), parse(after));
  return {
    names: [...removedNames.map((name) => `-${name}`), ...addedNames.map((name) => `+${name}`)],
    changedAgents,
    ...rest,
  };
};
const EQUAL = {
  equivalent: true,
  names: [],
  changedAgents: [],
  hasSitemapChanges: false,
  hasUngroupedChanges: false,
};

test('files that differ in rules, case and the order of groups are equal', () => {
  const [first, second] = ['User-agent: a\nDisallow: /\n', 'User-agent: b\nCrawl-delay: 1\nDisallow: /\n'];
  expect(compare(`${first}${second}`, `${second}user-agent: A\nallow: /x\n`)).toEqual(EQUAL);
});

test.each([
  [
    'a name',
    'User-agent: MJ12bot\nDisallow:\n',
    'User-agent: MJ\nDisallow:\n',
    { names: ['-MJ12bot', '+MJ'] },
  ],
  [
    'a record in the group of an extended token',
    'User-agent: MJ\nDisallow:\n\nUser-agent: MJ12bot\nHost: a\nDisallow:\n',
    'User-agent: MJ\nDisallow:\n\nUser-agent: MJ12bot\nHost: b\nDisallow:\n',
    { changedAgents: ['MJ', 'MJ12bot'] },
  ],
  [
    'the order of records',
    'User-agent: a\nRequest-rate: 1\nVisit-time: 2\n',
    'User-agent: a\nVisit-time: 2\nRequest-rate: 1\n',
    { changedAgents: ['a'] },
  ],
  [
    'a crawl-delay that applies to one more agent',
    'User-agent: a\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x\n',
    'User-agent: a\nUser-agent: *\nCrawl-delay: 9\nDisallow: /x\n',
    { changedAgents: ['*'] },
  ],
  [
    'a Content-Usage that applies to one more agent',
    'User-agent: a\nContent-Usage: train-ai=n\nUser-agent: *\nDisallow: /x\n',
    'User-agent: a\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n',
    { changedAgents: ['*'] },
  ],
  [
    'a colon, which makes a declaration',
    'User-agent: a\nContent-Usage train-ai=n\n',
    'User-agent: a\nContent-Usage: train-ai=n\n',
    { changedAgents: ['a'] },
  ],
  [
    'the order of sitemaps',
    'Sitemap: /a\nSitemap: /b\n',
    'Sitemap: /b\nSitemap: /a\n',
    { hasSitemapChanges: true },
  ],
  ['a sitemap without a URL', 'Sitemap:\n', '', { hasSitemapChanges: true }],
  ['a record outside of groups', 'Host: a\n', 'Host: b\n', { hasUngroupedChanges: true }],
])('a change of %s is reported', (_name, before, after, expected) => {
  expect(compare(before, after)).toEqual({ ...EQUAL, equivalent: false, ...expected });
});

test('a comparison that exceeds its budget is undecided', () => {
  const text = 'User-agent: a\nHost: x\n'.repeat(50);
  expect(compareRecords(parse(text), parse(text), { maxStates: 1 }).equivalent).toBeNull();
});

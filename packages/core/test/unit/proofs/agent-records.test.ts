import { expect, test } from 'vitest';
import { parse } from '../../../src/model/parse.ts';
import { compareRecords } from '../../../src/proofs/agent-records.ts';

const compare = (before: string, after: string) => {
  const { addedNames, removedNames, changedAgents, ...rest } = compareRecords(parse(before), parse(after));
  return {
    names: [...removedNames.map((name) => `-${name}`), ...addedNames.map((name) => `+${name}`)],
    changedAgents,
    ...rest,
  };
};
const SAME = {
  isSame: true,
  names: [],
  changedAgents: [],
  hasOtherSitemaps: false,
  hasOtherUngrouped: false,
};

test('rules, case and order of groups do not matter', () => {
  const [one, other] = ['User-agent: a\nDisallow: /\n', 'User-agent: b\nCrawl-delay: 1\nDisallow: /\n'];
  expect(compare(`${one}${other}`, `${other}user-agent: A\nallow: /x\n`)).toEqual(SAME);
});

test.each([
  [
    'a name',
    'User-agent: MJ12bot\nDisallow:\n',
    'User-agent: MJ\nDisallow:\n',
    { names: ['-MJ12bot', '+MJ'] },
  ],
  [
    'a record of an extended token alone',
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
    'a crawl-delay that comes to count for a further agent',
    'User-agent: a\nCrawl-delay: 9\nUser-agent: *\nDisallow: /x\n',
    'User-agent: a\nUser-agent: *\nCrawl-delay: 9\nDisallow: /x\n',
    { changedAgents: ['*'] },
  ],
  [
    'the order of sitemaps',
    'Sitemap: /a\nSitemap: /b\n',
    'Sitemap: /b\nSitemap: /a\n',
    { hasOtherSitemaps: true },
  ],
  ['a record in no group', 'Host: a\n', 'Host: b\n', { hasOtherUngrouped: true }],
])('%s is reported', (_name, before, after, expected) => {
  expect(compare(before, after)).toEqual({ ...SAME, isSame: false, ...expected });
});

test('what takes too much work is undecided', () => {
  const text = 'User-agent: a\nHost: x\n'.repeat(50);
  expect(compareRecords(parse(text), parse(text), { maxStates: 1 }).isSame).toBeNull();
});

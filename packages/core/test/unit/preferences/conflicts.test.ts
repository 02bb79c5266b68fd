import { expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import { readPreferences } from '../../../src/preferences.ts';

/** Lists the conflicts of a URL of which robots.txt forbids a folder: code, purpose and message. */
function listConflicts(declaration: string, path: string): string[] {
  const robots = parse(`User-agent: *\n${declaration}\nDisallow: /private/\n`);
  const { conflicts } = readPreferences(
    { policy: { kind: 'rules', robots } },
    'ExampleBot',
    `https://a.example${path}`,
  );
  return conflicts.map(({ code, purpose, message }) => `${code} ${purpose}: ${message}`);
}

test('a permission of search is a use without crawl only if it names the path', () => {
  expect(listConflicts('Content-Usage: search=y', '/private/a')).toEqual([]);
  expect(listConflicts('Content-Usage: /private/ search=y', '/public/a')).toEqual([]);
  expect(listConflicts('Content-Usage: /private/ search=y', '/private/a')).toEqual([
    'use-without-crawl search: line 2 allows search, but robots.txt forbids the crawler to fetch the URL',
  ]);
});

test('a permission of another use for the whole site is a use without crawl', () => {
  expect(listConflicts('Content-Usage: ai-use=y', '/public/a')).toEqual([]);
  expect(listConflicts('Content-Usage: ai-use=y', '/private/a')).toEqual([
    'use-without-crawl ai-input: line 2 allows ai-input, but robots.txt forbids the crawler to fetch the URL',
  ]);
});

import { parse } from '@maycrawl/core';
import * as catalogue from '@maycrawl/core/crawlers';
import { MAIN_PURPOSES, READINGS } from '@maycrawl/core/preferences';
import { COMMON_CRAWLERS } from 'maycrawl/api';
import { describe, expect, test } from 'vitest';
import { PreferenceRun, readDetails } from '../../src/tester/judging/preferences.ts';
import { createCatalogue } from '../../src/tester/matrix/crawler-groups.ts';
import { groupRows } from '../../src/tester/preferences/crawler-rows.ts';
import { getPreferenceLines } from '../../src/tester/preferences/preference-lines.ts';
import { describeOthers } from '../../src/tester/preferences/preferences-panel.tsx';
import { toTexts } from '../../src/tester/preferences/request-sources.ts';
import { explainPreference, getDifferentReadings } from '../../src/tester/preferences/texts.ts';
import {
  findSourceProblem,
  MAX_SOURCE,
  NO_SOURCES,
  readHeaderLines,
  readSourceTexts,
  type SourceInput,
  selectPage,
} from '../../src/tester/state/declaration-sources.ts';
import { initialState, withSources } from '../../src/tester/state/page-state.ts';
import { PURPOSES, selectPreference } from '../../src/tester/state/selected-preference.ts';
import { fromFragment, toFragment } from '../../src/tester/state/share-link.ts';

const NOTHING: SourceInput = { site: {}, page: {}, pageUrl: null };
const URL = 'https://shop.example/blog/';
const robots = parse(`User-agent: *
Content-Usage: train-ai=n, search=y
Disallow: /cart/

User-agent: GPTBot
Content-Usage: /blog/ ai=n
Content-Signal: ai-train=yes
Disallow: /cart/

User-agent: CCBot
Disallow: /

User-agent: Google-Extended
Disallow: /
`);

const explain = (crawler: string, purpose: (typeof PURPOSES)[number], sources = NOTHING): string =>
  explainPreference(readDetails(robots, sources, crawler, URL), purpose);

test('the purposes of the table are the main purposes of the library', () => {
  expect(PURPOSES).toEqual(MAIN_PURPOSES);
});

describe('the table of preferences', () => {
  test('has a row for each crawler: crawling and use, and whether something disagrees', () => {
    const run = new PreferenceRun(robots, NOTHING, [URL], ['bingbot', 'GPTBot', 'CCBot']);
    expect(run.advance(() => false)).toBe(true);
    expect(run.table.urls).toEqual([
      [
        {
          ...{ crawler: 'bingbot', crawl: 'allowed', disputed: [] },
          values: { search: 'allowed', 'ai-train': 'disallowed', 'ai-input': 'unknown' },
        },
        {
          ...{ crawler: 'GPTBot', crawl: 'allowed', disputed: ['search', 'ai-train'] },
          values: { search: 'unknown', 'ai-train': 'disallowed', 'ai-input': 'unknown' },
        },
        {
          ...{ crawler: 'CCBot', crawl: 'disallowed', disputed: [] },
          values: { search: 'not-applicable', 'ai-train': 'not-applicable', 'ai-input': 'not-applicable' },
        },
      ],
    ]);
  });

  test('is the same in slices, and contains only complete URLs before its end', () => {
    const urls = ['https://shop.example/', URL, 'nowhere'];
    const crawlers = COMMON_CRAWLERS.map(({ name }) => name);
    const whole = new PreferenceRun(robots, NOTHING, urls, crawlers);
    whole.advance(() => false);
    const sliced = new PreferenceRun(robots, NOTHING, urls, crawlers);
    for (let slices = 1; !sliced.advance(() => true); slices++)
      expect(sliced.table.urls).toHaveLength(Math.floor((slices - 1) / crawlers.length));
    expect(sliced.table).toEqual(whole.table);
    expect(whole.table.urls).toHaveLength(3);
  });

  test('groups its rows by the main purpose of the crawlers, those for AI first', () => {
    const run = new PreferenceRun(
      robots,
      NOTHING,
      [URL],
      ['MyBot', 'GPTBot', 'Googlebot', 'Google-Extended'],
    );
    run.advance(() => false);
    const rows = run.table.urls[0] ?? [];
    const groups = groupRows(createCatalogue(catalogue), rows);
    expect(groups.map(({ title, rows: own }) => [title, own.map(({ crawler }) => crawler)])).toEqual([
      ['Training of AI models', ['Google-Extended', 'GPTBot']],
      ['Results of a search engine', ['Googlebot']],
      ['Not in the catalogue', ['MyBot']],
    ]);
    expect(groups[0]?.rows.map(({ isPolicyToken }) => isPolicyToken)).toEqual([true, false]);
    expect(groupRows([], rows)).toEqual([expect.objectContaining({ title: 'Crawlers' })]);
  });
});

describe('the explanation of a preference', () => {
  test.each([
    ['bingbot', 'ai-train', 'Line 2 refuses AI training for all crawlers without a group of their own.'],
    ['GPTBot', 'ai-train', 'Line 6 refuses AI training for GPTBot below /blog/.'],
    [
      'GPTBot',
      'ai-input',
      'Nothing is declared about AI answers for GPTBot. This is neither permission nor refusal.',
    ],
    [
      'CCBot',
      'search',
      'CCBot may not fetch the URL (line 11), so there is no content that it could use. Preferences do not apply.',
    ],
    [
      'Google-Extended',
      'ai-train',
      'Google-Extended sends no requests. Its rules say how Google may use what Googlebot fetches: see the row of that crawler.',
    ],
    [
      'Googlebot',
      'ai-input',
      'Line 14 refuses AI answers, by the rules for Google-Extended, which also govern Googlebot.',
    ],
  ] as const)('%s, %s: %s', (crawler, purpose, sentence) => {
    expect(explain(crawler, purpose)).toBe(sentence);
  });

  test('names the source of statements outside of robots.txt', () => {
    const page = { metas: [{ name: 'robots', content: 'noai' }], headers: [] };
    expect(explain('MyBot', 'ai-train', { ...NOTHING, page })).toMatch(/^Line 2 refuses/);
    const alone = readDetails(parse(''), { ...NOTHING, page }, 'MyBot', URL);
    expect(explainPreference(alone, 'ai-train')).toBe('The meta element robots refuses AI training.');
    const file = { tdmrep: '[{"location":"/","tdm-reservation":1}]' };
    const reserved = readDetails(parse(''), { ...NOTHING, site: file }, 'MyBot', URL);
    expect(explainPreference(reserved, 'ai-train')).toMatch(/^The file tdmrep\.json refuses AI training/);
  });

  test('describes each reading that leads to another value in words', () => {
    const { report } = readDetails(robots, NOTHING, 'GPTBot', URL);
    const { readings = {}, value = 'unknown' } = report.purposes['ai-train'] ?? {};
    expect(getDifferentReadings(readings, value)).toEqual([
      {
        text: 'If labels of earlier drafts, such as “ai” or “tdm”, no longer count',
        value: 'allowed',
      },
    ]);
    const all = Object.fromEntries(READINGS.slice(1).map(({ name }) => [name, 'unknown' as const]));
    const texts = getDifferentReadings(all, 'allowed').map(({ text }) => text);
    expect(texts).toHaveLength(READINGS.length - 1);
    for (const text of texts) expect(text).toMatch(/^If /);
  });

  test('marks the deciding line and the others, or the rule that forbids crawling', () => {
    const lines = (crawler: string, purpose: (typeof PURPOSES)[number]) =>
      getPreferenceLines(readDetails(robots, NOTHING, crawler, URL), purpose);
    expect(lines('bingbot', 'search')).toEqual({ winner: 2, overridden: [], isAllowed: true });
    expect(lines('GPTBot', 'ai-train')).toMatchObject({ winner: 6, isAllowed: false });
    expect(lines('GPTBot', 'ai-train').overridden).toContain(7);
    expect(lines('CCBot', 'search').winner).toBe(11);
    const twice = parse(
      'User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no\nDisallow: /a\n',
    );
    // A statement that agrees is not marked as one that loses.
    expect(getPreferenceLines(readDetails(twice, NOTHING, 'GPTBot', URL), 'ai-train').overridden).toEqual([]);
    const page = { metas: [], headers: [['Content-Usage', 'train-ai=n']] as const };
    const details = readDetails(parse(''), { ...NOTHING, page }, 'GPTBot', URL);
    expect(getPreferenceLines(details, 'ai-train')).toEqual({ winner: 0, overridden: [], isAllowed: false });
  });
});

test.each([
  [{ compared: 1, different: [] }, 'The other URL has the same values.'],
  [{ compared: 8, different: [] }, 'The other 8 URLs have the same values.'],
  [{ compared: 8, different: ['/a'] }, '1 of the other 8 URLs has different values:'],
  [{ compared: 2, different: ['/a', '/b'] }, 'The other 2 URLs have different values:'],
])('other URLs: %j', (others, text) => {
  expect(describeOthers({ omitted: 0, ...others })).toBe(text);
});

describe('sources', () => {
  test('headers can be pasted with the status line, and a line that is no header is a problem', () => {
    const text = 'HTTP/2 200\r\nContent-Usage: train-ai=n\r\nx-robots-tag:noai\r\n\r\n';
    expect(readHeaderLines(text)).toEqual({
      headers: [
        ['Content-Usage', 'train-ai=n'],
        ['x-robots-tag', 'noai'],
      ],
      invalid: null,
    });
    expect(findSourceProblem('headers', text)).toBeNull();
    expect(findSourceProblem('headers', 'train-ai=n')).toContain('not a header');
  });

  test.each([
    ['tdmrep', '[]', null],
    ['tdmrep', '\ufeff[]', null],
    ['tdmrep', '{}', 'not a JSON array'],
    ['tdmrep', '[', 'not a JSON array'],
    ['rsl', '<?xml version="1.0"?><r:rsl xmlns:r="https://rslstandard.org/rsl">', null],
    ['rsl', '<html>', 'not an RSL document'],
    ['rsl', ' ', null],
  ] as const)('%s %j: %s', (name, text, problem) => {
    const found = findSourceProblem(name, text);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
  });

  test('those of one page do not count for other URLs', () => {
    const texts = { ...NO_SOURCES, headers: 'Content-Usage: train-ai=n', tdmrep: '[]', pageUrl: URL };
    const input = readSourceTexts(texts, () => []);
    expect(selectPage(input, URL).headers).toEqual([['Content-Usage', 'train-ai=n']]);
    expect(selectPage(input, 'https://shop.example/')).toEqual({});
    expect(selectPage({ ...input, pageUrl: null }, '/a').headers).toHaveLength(1);
  });

  test('are cut if they are too long', () => {
    const state = withSources({ rsl: 'x'.repeat(MAX_SOURCE + 1) })(initialState());
    expect(state.sources.rsl).toHaveLength(MAX_SOURCE);
  });
});

describe('the response of the service', () => {
  const sources = { headers: [], metas: [], tdmrep: null, problems: [] };
  const read = (changed: object) => toTexts(URL, { sources: { ...sources, ...changed } } as never);

  test('replaces the texts of what was read, also by nothing', () => {
    const headers = [{ name: 'content-usage', value: 'search=y' }];
    const metas = [{ name: 'robots', content: '"a&b"' }];
    expect(read({ headers, metas })).toEqual({
      texts: {
        headers: 'content-usage: search=y',
        html: '<meta name="robots" content="&quot;a&amp;b&quot;">',
        pageUrl: URL,
        tdmrep: '',
      },
      problems: [],
    });
  });

  test('leaves the texts of what was not read, with the reason; without the sources there is no text', () => {
    const problems = ['page', 'tdmrep.json'].map((source) => ({ source, url: URL, message: 'status 503' }));
    expect(read({ problems })).toEqual({
      texts: {},
      problems: Array(2).fill(`Not read: ${URL} (status 503).`),
    });
    expect(toTexts(URL, {} as never)).toBeNull();
  });
});

describe('a link', () => {
  test('contains short sources and the selected preference', async () => {
    const state = {
      ...initialState(),
      panel: 'preferences' as const,
      sources: { ...NO_SOURCES, headers: 'tdm-reservation: 1', pageUrl: URL },
      preference: { crawler: 'CCBot', purpose: 'search' as const },
    };
    const shared = await fromFragment((await toFragment(state)) ?? '', initialState());
    expect(shared).toEqual({ ...state, hasOwnUrls: true, baseline: expect.anything() });
  });

  test('omits long sources', async () => {
    const state = withSources({ html: 'x'.repeat(30_000) })(initialState());
    const shared = await fromFragment((await toFragment(state)) ?? '', initialState());
    expect(shared?.sources).toEqual(NO_SOURCES);
  });
});

test('a selected crawler that is not in the list is replaced by the first one', () => {
  const selected = { crawler: 'GPTBot', purpose: 'ai-train' } as const;
  expect(selectPreference(selected, ['a', 'GPTBot'])).toBe(selected);
  expect(selectPreference(selected, ['a'])).toEqual({ crawler: 'a', purpose: 'ai-train' });
});

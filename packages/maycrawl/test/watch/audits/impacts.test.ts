import { describe, expect, test } from 'vitest';
import type { Cause } from '../../../src/audit/report/compare/causes.ts';
import { type ChangeGroup, GroupCollector } from '../../../src/audit/report/compare/change-groups.ts';
import type { GroupedChanges } from '../../../src/audit/report/compare/grouped-changes.ts';
import { AUDIT_DEFAULTS } from '../../../src/watch/audits/audit-defaults.ts';
import { getChangeImpacts } from '../../../src/watch/audits/audit-impacts.ts';
import { describeIndexable } from '../../../src/watch/audits/titles.ts';
import type { SiteSettings } from '../../../src/watch/site.ts';

const NOINDEX: Cause = {
  reason: 'noindex',
  source: 'meta',
  text: 'noindex from a meta element',
  target: null,
};
type Changes = Omit<GroupedChanges, 'missing'>;

const NONE: Changes = {
  ...{
    agents: ['Googlebot', 'GPTBot'],
    notes: [],
    lost: [],
    won: [],
    unlinked: null,
    linked: null,
    findings: [],
    titles: null,
  },
  indexableBefore: { Googlebot: 100, GPTBot: 100 },
};

/** A group of URLs: paths of each crawler. */
function group(paths: Readonly<Record<string, readonly string[]>>): ChangeGroup {
  const collector = new GroupCollector('shop.example');
  const all = [...new Set(Object.values(paths).flat())].sort();
  for (const path of all)
    for (const [agent, own] of Object.entries(paths))
      if (own.includes(path))
        collector.add(path.startsWith('/') ? `https://shop.example${path}` : path, agent);
  return collector.finish();
}

const list = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${folder}${index}`);
const lost = (paths: Readonly<Record<string, readonly string[]>>, more: object = {}): Changes => ({
  ...NONE,
  lost: [{ cause: NOINDEX, hasStart: false, group: group(paths), ...more }],
});

/** Changed titles of pages. @param title - the new one. */
function titles(paths: readonly string[], title: string | null): Pick<Changes, 'titles'> {
  const examples = paths.map((path) => ({
    ...({ kind: 'title', url: `https://shop.example${path}`, before: `Old ${path}`, after: title } as const),
  }));
  const start = examples.find(({ url }) => url === 'https://shop.example/') ?? null;
  return {
    titles: { group: group({ Googlebot: paths }), start, common: { title, urls: paths.length }, examples },
  };
}

const CASES: readonly (readonly [
  name: string,
  changes: Changes,
  settings: {
    readonly alertUrls?: number;
    readonly errorShare?: number;
    readonly severity?: SiteSettings['severity'];
  },
  events: readonly string[],
])[] = [
  ['no change', NONE, {}, []],
  [
    'crawlers with different counts',
    lost({ GPTBot: list('/a/', 3), Googlebot: list('/a/', 2) }),
    {},
    [
      'warning not-indexable 2 URLs for Googlebot; 3 for GPTBot on /a/ are not indexable since November 2: noindex from a meta element',
    ],
  ],
  [
    '5 percent',
    lost({ Googlebot: list('/a/', 5) }),
    {},
    [
      'error not-indexable 5 URLs on /a/ are not indexable for Googlebot since November 2: noindex from a meta element',
    ],
  ],
  [
    'less than that',
    lost({ Googlebot: list('/a/', 4) }),
    {},
    [
      'warning not-indexable 4 URLs on /a/ are not indexable for Googlebot since November 2: noindex from a meta element',
    ],
  ],
  [
    'another share',
    lost({ Googlebot: list('/a/', 4) }),
    { errorShare: 4 },
    [
      'error not-indexable 4 URLs on /a/ are not indexable for Googlebot since November 2: noindex from a meta element',
    ],
  ],
  [
    'a severity of the owner',
    lost({ Googlebot: list('/a/', 5) }),
    { severity: { 'not-indexable': 'info' } },
    [
      'info not-indexable 5 URLs on /a/ are not indexable for Googlebot since November 2: noindex from a meta element',
    ],
  ],
  [
    'fewer URLs than are reported',
    lost({ Googlebot: list('/a/', 4), GPTBot: ['/a/1'] }),
    { alertUrls: 5 },
    [],
  ],
  [
    'the home page, however few URLs',
    lost({ Googlebot: ['/'] }, { hasStart: true }),
    { alertUrls: 5 },
    ['error not-indexable / is not indexable for Googlebot since November 2: noindex from a meta element'],
  ],
  [
    'several folders, and another host',
    lost({ Googlebot: [...list('/a/', 3), ...list('/b/', 2), '/c/1', 'https://cdn.shop.example/x/1'] }),
    { errorShare: 100 },
    [
      'warning not-indexable 7 URLs on /a/, /b/ and 2 other folders are not indexable for Googlebot since November 2: noindex from a meta element',
    ],
  ],
  [
    'URLs that were lost with the home page are no event of their own',
    { ...lost({ Googlebot: ['/'] }, { hasStart: true }), unlinked: group({ Googlebot: list('/a/', 50) }) },
    {},
    ['error not-indexable / is not indexable for Googlebot since November 2: noindex from a meta element'],
  ],
  [
    'URLs that links name again are the end of that',
    { ...NONE, linked: group({ Googlebot: list('/a/', 2) }) },
    {},
    ['info linked 2 URLs on /a/ are found by links or sitemaps again for Googlebot since November 2'],
  ],
  [
    'URLs that are found again with the home page are no event of their own',
    {
      ...NONE,
      won: lost({ Googlebot: ['/'] }, { hasStart: true }).lost,
      linked: group({ Googlebot: list('/a/', 50) }),
    },
    {},
    ['info indexable / is indexable now for Googlebot since November 2: before, noindex from a meta element'],
  ],
  [
    'the titles of many pages',
    { ...NONE, ...titles(list('/a/', 10), 'Shop') },
    {},
    [
      'warning titles-changed 10 URLs on /a/ changed their titles for Googlebot since November 2: all are "Shop" now',
    ],
  ],
  [
    'titles of many pages that are missing, and that of the home page',
    { ...NONE, ...titles(['/', ...list('/a/', 10)], null) },
    { severity: { 'titles-changed': 'error' } },
    [
      'error titles-changed 11 URLs on /a/ and / changed their titles for Googlebot since November 2: all are missing now',
    ],
  ],
  [
    'the title of the home page, and one of another page',
    { ...NONE, ...titles(['/', '/a/1'], 'Test') },
    {},
    ['info titles-changed the title of / changed since November 2: "Old /" is "Test" now'],
  ],
  ['some titles of a site', { ...NONE, ...titles(list('/a/', 9), 'Shop') }, {}, []],
  [
    'half of the titles of a small site',
    { ...NONE, ...titles(list('/a/', 3), 'Shop'), indexableBefore: { Googlebot: 6 } },
    {},
    [
      'warning titles-changed 3 URLs on /a/ changed their titles for Googlebot since November 2: all are "Shop" now',
    ],
  ],
  [
    'new findings beside old ones',
    {
      ...NONE,
      findings: [
        {
          code: 'redirect-loop',
          kind: 'new',
          group: group({ Googlebot: list('/a/', 2) }),
          totals: { Googlebot: 5, GPTBot: 3 },
        },
      ],
    },
    {},
    [
      'warning finding new since November 2, on /a/: 2 redirects lead into a loop for Googlebot, besides 3 others',
    ],
  ],
];

describe('the events of', () => {
  test.each(CASES)('%s', (_name, changes, { severity, ...given }, expected) => {
    const settings = { every: 1, start: 'https://shop.example/', plan: {}, ...AUDIT_DEFAULTS, ...given };
    const site: SiteSettings = { every: 1, agents: [], notify: [], ...(severity && { severity }) };
    const impacts = getChangeImpacts(changes, {
      settings,
      site,
      run: 'new',
      since: 'November 2',
      before: 'old',
    });
    expect(impacts.map((each) => `${each.severity} ${each.kind} ${each.title}`)).toEqual(expected);
    for (const { text, details } of impacts) {
      expect(text).toContain('run: new');
      expect(details).toMatchObject({ audit: { run: 'new', before: 'old' } });
    }
  });
});

test('more than twenty causes are twenty events, the last of which has the rest', () => {
  const changes: Changes = {
    ...NONE,
    lost: list('line ', 30).map((source, index) => ({
      cause: { ...NOINDEX, source, text: source },
      ...{ hasStart: false, group: group({ Googlebot: list(`/${index}/`, 30 - index) }) },
    })),
  };
  const settings = { every: 1, start: 'https://shop.example/', plan: {}, ...AUDIT_DEFAULTS };
  const site: SiteSettings = { every: 1, agents: [], notify: [] };
  const impacts = getChangeImpacts(changes, {
    settings,
    site,
    run: 'new',
    since: 'November 2',
    before: 'old',
  });
  expect(impacts).toHaveLength(20);
  expect(impacts.at(-1)).toMatchObject({
    severity: 'error',
    title: '11 further changes, each with a cause of its own',
  });
  expect(impacts.at(-1)?.text).toContain('line 29');
});

test('the rest of many good changes is no alarm', () => {
  const changes: Changes = {
    ...NONE,
    won: list('line ', 30).map((source, index) => ({
      cause: { ...NOINDEX, source, text: source },
      ...{ hasStart: false, group: group({ Googlebot: list(`/${index}/`, 30 - index) }) },
    })),
  };
  const settings = { every: 1, start: 'https://shop.example/', plan: {}, ...AUDIT_DEFAULTS };
  const site: SiteSettings = { every: 1, agents: [], notify: [] };
  const context = { settings, site, run: 'new', since: 'November 2', before: 'old' };
  const impacts = getChangeImpacts(changes, context);
  expect([...new Set(impacts.map(({ kind, severity }) => `${severity} ${kind}`))]).toEqual([
    'info indexable',
  ]);
});

test('indexable URLs are counted for each crawler', () => {
  const agent = (name: string, judged: number, indexable: number) => ({ agent: name, judged, indexable });
  expect(describeIndexable([agent('GPTBot', 9, 1), agent('Googlebot', 9, 5), agent('bingbot', 9, 5)])).toBe(
    '5 of 9 URLs are indexable for Googlebot and bingbot; 1 of 9 for GPTBot',
  );
  expect(describeIndexable([agent('Googlebot', 1, 1)])).toBe('1 of 1 URL is indexable for Googlebot');
});

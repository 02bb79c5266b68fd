/** A page has a bounded number of statements, and the bounds lose no restriction for all crawlers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRobotsHeader } from '../../../src/indexability/rules.ts';
import {
  type CanonicalStatement,
  combineDirectives,
  createPageFacts,
  decideCanonical,
  evaluatePage,
  type HtmlFacts,
  type HtmlLink,
  type PageFacts,
  type RobotsStatement,
  readRobotsMeta,
} from '../../../src/indexability.ts';
import { FUZZ_PARAMETERS, takeShare } from '../../support/arbitraries.ts';
import { parseDirectives, parseRobotsHeader } from '../../support/directives.ts';

const URL = 'https://h.example/dir/page';
const LINK: HtmlLink = {
  ...{ rel: 'canonical', href: '/', hreflang: null, lang: null, media: null, type: null, inHead: true },
};

function read(html: Partial<HtmlFacts>, headers: readonly (readonly [string, string])[] = []): PageFacts {
  const none = {
    title: null,
    base: null,
    robots: [],
    refreshes: [],
    links: [],
    references: [],
    isTruncated: false,
  };
  return createPageFacts({ url: URL, status: 200, headers }, { ...none, ...html });
}

const createMetas = (...contents: readonly string[]): RobotsStatement[] =>
  contents.map((content) => readRobotsMeta('robots', content) as RobotsStatement);
const times = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index));
const countDirectives = ({ robots }: PageFacts): number =>
  robots.reduce((sum, { directives }) => sum + directives.length, 0);

const forbidsIndexing = (facts: PageFacts): boolean =>
  !evaluatePage(
    {
      ...{
        url: URL,
        sitemaps: [],
        found: [],
        depth: 0,
        crawl: { kind: 'allowed', reason: 'no-rule-matched', line: 0 },
      },
      outcome: { kind: 'page', page: facts, redirects: [] },
    },
    'Googlebot',
    0,
  ).verdict.indexable;

describe('a list of directives', () => {
  test('has each of them once', () => {
    expect(parseDirectives('noai, '.repeat(1_000_000))).toEqual([{ kind: 'unknown', text: 'noai' }]);
    expect(parseDirectives('NoIndex, noindex, a, A')).toHaveLength(2);
    expect(parseRobotsHeader('noindex, a: noindex, noindex, b: noindex')).toHaveLength(3);
  });

  test('has 1,000 at most, and all without a value that are for every crawler', () => {
    const padding = times(100_000, (index) => `x${index}`).join();
    const parsed = parseDirectives(`${padding}, noindex, max-snippet: 1, nofollow`);
    expect(parsed).toHaveLength(1_002);
    expect(parsed.slice(1_000)).toMatchObject([{ kind: 'noindex' }, { kind: 'nofollow' }]);
    expect(parseRobotsHeader(`${padding}, noindex, a: noindex`)).toHaveLength(1_002);
    const agents = times(100_000, (index) => `a${index}: noindex`).join();
    expect(parseRobotsHeader(`${agents}, b: noindex`)).toHaveLength(10_000);
  });

  test('that lacks directives is a reason why the page is truncated', () => {
    const padding = (count: number): string => times(count, (index) => `x${index}`).join();
    for (const [count, isTruncated] of [
      [1_000, false],
      [1_001, true],
    ] as const) {
      expect(read({ robots: createMetas(padding(count)) }).isTruncated).toBe(isTruncated);
      expect(read({}, [['X-Robots-Tag', padding(count)]]).isTruncated).toBe(isTruncated);
    }
  });
});

describe('the robots statements of a page', () => {
  test('that are equal are one', () => {
    const facts = read({ robots: createMetas(...times(100_000, () => 'noai')) });
    expect([facts.robots.length, facts.isTruncated]).toEqual([1, false]);
  });

  test.each<[string, RobotsStatement[]]>([
    ['many', createMetas(...times(20_000, (index) => `x${index}`))],
    [
      'many, of many directives',
      createMetas(...times(2_700, (i) => times(250, (j) => `x${i * 250 + j}`).join())),
    ],
    [
      'for many crawlers',
      times(20_000, (index) => readRobotsMeta(`a${index}`, 'noindex') as RobotsStatement),
    ],
    [
      'of one header for many crawlers',
      readRobotsHeader(times(20_000, (index) => `a${index}: noindex`).join()),
    ],
  ])('are 1,000 at most, with 10,000 directives: %s', (_name, robots) => {
    const facts = read({ robots });
    expect(facts.isTruncated).toBe(true);
    expect(facts.robots.length).toBeLessThanOrEqual(1_000);
    expect(countDirectives(facts)).toBeLessThanOrEqual(10_000);
    expect(forbidsIndexing(facts)).toBe(false);
    // What comes after them still counts for all crawlers, and is kept once.
    const restricted = read({
      robots: [...robots, ...createMetas(...times(1_000, (index) => `y${index}, noindex`))],
    });
    expect(forbidsIndexing(restricted)).toBe(true);
    expect(restricted.robots.length).toBeLessThanOrEqual(1_001);
  });

  test('restrict one crawler also beyond the limits, by a directive without a value or an earlier date', () => {
    const padding = createMetas(...times(2_000, (index) => `x${index}, unavailable_after: 2100-01-01`));
    const create = (content: string): RobotsStatement =>
      readRobotsMeta('googlebot', content) as RobotsStatement;
    for (const content of ['x, noindex', 'x, unavailable_after: 1960-01-01'])
      expect(forbidsIndexing(read({ robots: [...padding, create(content)] }))).toBe(true);
    const dates = times(5_000, (index) => `unavailable_after: ${9_000 - index}-01-01`);
    expect(read({ robots: [...padding, ...createMetas(...dates)] }).robots.length).toBeLessThanOrEqual(1_100);
  });

  test('have the same restrictions for all crawlers as without bounds', () => {
    const flag = fc.constantFrom('noindex', 'nofollow', 'none', 'nosnippet', 'notranslate', 'noimageindex');
    const content = fc.array(fc.oneof(flag, fc.constantFrom('all', 'x')), { minLength: 1, maxLength: 3 });
    const padding = createMetas(...times(1_100, (index) => `x${index}`));
    fc.assert(
      fc.property(fc.array(content, { maxLength: 5 }), (lists) => {
        const metas = createMetas(...lists.map((list) => list.join()));
        const select = (robots: readonly RobotsStatement[]) => {
          const all = combineDirectives(robots, 'Googlebot', 0);
          const { noImageIndex, noTranslate, maxSnippet } = all;
          return [all.noindex.length > 0, all.nofollow.length > 0, noImageIndex, noTranslate, maxSnippet];
        };
        expect(select(read({ robots: [...padding, ...metas] }).robots)).toEqual(select(metas));
      }),
      takeShare(FUZZ_PARAMETERS, 30),
    );
  });
});

describe('the canonicals of a page', () => {
  test('are 100 that count and 100 that are ignored, at most', () => {
    const links = times(100_000, (index) => ({ ...LINK, href: `/${index}`, inHead: index % 2 === 0 }));
    const facts = read({ links });
    expect(facts.isTruncated).toBe(true);
    expect(facts.canonicals.filter(({ ignored }) => ignored === null)).toHaveLength(100);
    expect(facts.canonicals.filter(({ ignored }) => ignored !== null)).toHaveLength(100);
  });

  test('that are equal are one', () => {
    const facts = read({ links: times(100_000, (index) => ({ ...LINK, href: `/c#${index}` })) });
    expect([facts.canonicals.length, facts.isTruncated]).toEqual([1, false]);
  });

  test('lead to the same URL or conflict as without bounds', () => {
    const link = fc
      .tuple(fc.constantFrom('/a', '/a#b', '/b', '', 'page', 'mailto:a@h'), fc.boolean())
      .map(([href, inHead]): HtmlLink => ({ ...LINK, href, inHead }));
    const paddings = [
      [],
      times(300, (index): HtmlLink => ({ ...LINK, href: `/x${index}`, inHead: false })),
      times(300, (index): HtmlLink => ({ ...LINK, href: `/a#${index}` })),
    ];
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.array(link, { maxLength: 4 }), fc.constantFrom(...paddings), (links, padding) => {
        const all = [...padding, ...links];
        const statements = all.flatMap(
          (each): readonly CanonicalStatement[] => read({ links: [each] }).canonicals,
        );
        const { kind, ...expected } = decideCanonical(URL, statements);
        kinds.add(kind);
        const { statements: _, ...rest } = { ...expected, kind };
        expect(decideCanonical(URL, read({ links: all }).canonicals)).toMatchObject(rest);
      }),
      takeShare(FUZZ_PARAMETERS, 3),
    );
    expect(kinds).toEqual(new Set(['absent', 'self', 'other', 'conflict']));
  });
});

test('the alternates of a page are 1,000 at most, and the links of a series 100', () => {
  const links = times(
    5_000,
    (index): HtmlLink => ({ ...LINK, rel: 'alternate next', href: `/${index}`, hreflang: 'de' }),
  );
  const facts = read({ links: [...links, ...links] });
  expect([facts.alternates.length, facts.seriesLinks.length, facts.isTruncated]).toEqual([1_000, 100, true]);
  const few = read({ links: times(50_000, () => ({ ...LINK, rel: 'alternate next', hreflang: 'de' })) });
  expect([few.alternates.length, few.seriesLinks.length, few.isTruncated]).toEqual([1, 1, false]);
});

// Findings about versions in other languages (rel="alternate" with hreflang; Google's page on localized versions).
import type { UrlIndex } from '../../links/url-index.ts';
import type { Finding } from '../../run/records/finding.ts';
import { LINK_TYPES, visitLinks } from '../../run/records/link-list.ts';
import type { StoredFacts } from '../../run/records/page.ts';
import type { RunStore } from '../../run/run-store.ts';
import { isLanguageCode } from './language-code.ts';

/** Kinds about versions in other languages. */
export const ALTERNATE_KINDS = {
  'hreflang-unknown-language': {
    severity: 'warning',
    rank: 30,
    about: 'indexing',
    one: '1 page has a version with an unknown language',
    many: '# pages have versions with unknown languages',
    sentence: 'Names a version with an unknown language',
    cost: 'Search engines ignore this version for the page.',
    action: 'Use a language of ISO 639-1 and, if needed, a country of ISO 3166-1, such as en-GB.',
    decision:
      'A value of hreflang is neither x-default nor a language of ISO 639-1 with an optional script of ISO 15924 and country of ISO 3166-1. The detail is the value.',
    example: 'hreflang="en-UK"',
    source: 'language',
  },
  'hreflang-not-indexable': {
    severity: 'warning',
    rank: 40,
    about: 'indexing',
    one: '1 page names a version in another language that cannot be indexed',
    many: '# pages name versions in other languages that cannot be indexed',
    sentence: 'Names versions in other languages that cannot be indexed:',
    cost: 'Search engines cannot show this version.',
    action: 'Name the indexable URL of the version, or remove the statement.',
    decision:
      'A version that the page names with hreflang has a verdict and is not indexable for the crawler.',
    example: 'hreflang="de" names /de/ → 404',
    source: 'language',
  },
  'hreflang-without-return': {
    severity: 'warning',
    rank: 50,
    about: 'indexing',
    one: '1 page names a version in another language that does not name it in return',
    many: '# pages name versions in other languages that do not name them in return',
    sentence: 'Names versions in other languages that do not name it in return:',
    cost: 'Search engines ignore statements that are not mutual.',
    action: 'Let each version name all versions.',
    decision: 'A version that the page names with hreflang is indexable, and does not name the page.',
    example: '/en/ names /de/, and /de/ names no /en/',
    source: 'language',
  },
  'hreflang-without-default': {
    severity: 'info',
    rank: 40,
    about: 'indexing',
    one: '1 page names versions in several languages, but no x-default',
    many: '# pages name versions in several languages, but no x-default',
    sentence: 'Names versions in several languages, but no x-default.',
    cost: 'Search engines select the version for users of other languages themselves.',
    action:
      'Name the version for all other users, or a page that lets users choose, with hreflang="x-default".',
    decision:
      'The page is indexable and names versions in at least two languages, and none of them has hreflang="x-default".',
    example: 'hreflang="en" and hreflang="de" only',
    source: 'language',
  },
} as const;

/** Maximum number of statements that are examined, which take some tens of megabytes. A hostile page has 100,000. */
const MAX_STATEMENTS = 1_000_000;
/** Versions of a page that a finding lists. */
const MAX_TARGETS = 10;

/** Pages by number (UrlIndex), and the versions that each of them names. */
interface Versions {
  readonly byPage: ReadonlyMap<number, ReadonlySet<number>>;
  /** Whether all statements were read. Otherwise it is unknown whether a version names the page in return. */
  readonly isComplete: boolean;
}

/** Finds wrong languages, and versions that do not name the page in return or cannot be indexed. */
export function* findAlternateProblems(
  run: RunStore,
  index: UrlIndex,
  agents: number,
): Generator<Finding<keyof typeof ALTERNATE_KINDS>> {
  const versions = readVersions(run, index);
  for (let agent = 0; agent < agents; agent++)
    for (const [page, others] of versions.byPage) {
      const key = index.getKey(page);
      // What the crawler may not fetch names no versions, and a redirect or an error has none.
      const facts = readFacts(run, key, agent);
      if (facts === null) continue;
      const unreturned: number[] = [];
      const lost: number[] = [];
      for (const other of others) {
        const reasons = run.verdicts.get(index.getKey(other), agent)?.reasons;
        if (reasons === undefined) continue;
        if (reasons !== 0) lost.push(other);
        else if (versions.isComplete && !versions.byPage.get(other)?.has(page)) unreturned.push(other);
      }
      const codes = facts.alternates.map(({ hreflang }) => hreflang);
      const unknown = codes.filter((code) => !isLanguageCode(code));
      const readUrls = (numbers: readonly number[]): string[] =>
        readTargets(run, index, numbers.slice(0, MAX_TARGETS));
      const about = { agent, key };
      if (unknown.length > 0)
        yield { ...about, code: 'hreflang-unknown-language', detail: unknown[0] ?? null, targets: [] };
      if (run.verdicts.get(key, agent)?.reasons === 0 && isWithoutDefault(codes))
        yield { ...about, code: 'hreflang-without-default', detail: null, targets: [] };
      if (lost.length > 0)
        yield { ...about, code: 'hreflang-not-indexable', detail: null, targets: readUrls(lost) };
      if (unreturned.length > 0)
        yield {
          ...about,
          code: 'hreflang-without-return',
          detail: null,
          targets: readUrls(unreturned),
        };
    }
}

/** Whether the codes have several languages, and no `x-default`. Versions for countries of one language may need none. */
function isWithoutDefault(codes: readonly string[]): boolean {
  const languages = new Set(
    codes.filter(isLanguageCode).map((code) => code.trim().toLowerCase().split('-')[0]),
  );
  return languages.size > 1 && !languages.has('x');
}

/** Reads which pages name which others. A page may name itself, too. */
function readVersions({ rows }: RunStore, index: UrlIndex): Versions {
  const byPage = new Map<number, Set<number>>();
  let left = MAX_STATEMENTS;
  for (const { key, list } of rows.links.allLists('links')) {
    const page = index.find(key);
    const others = new Set<number>();
    visitLinks(list, LINK_TYPES.alternate, (to) => {
      const other = index.find(to);
      if (other >= 0 && other !== page && left-- > 0) others.add(other);
    });
    if (others.size > 0) byPage.set(page, others);
    if (left < 0) break;
  }
  return { byPage, isComplete: left >= 0 };
}

/** Reads a page with status 200 that a crawler may fetch; `null` otherwise. */
function readFacts(run: RunStore, key: number, agent: number): StoredFacts | null {
  if (run.verdicts.get(key, agent)?.isAllowed !== true) return null;
  const { outcome } = run.page(key) ?? {};
  return outcome?.kind === 'page' && outcome.facts.status === 200 ? outcome.facts : null;
}

function readTargets(run: RunStore, index: UrlIndex, numbers: readonly number[]): string[] {
  return numbers.map((number) => run.url(index.getKey(number))?.url ?? '');
}

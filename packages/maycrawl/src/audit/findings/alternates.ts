/**
 * Findings about versions in other languages (rel="alternate" with hreflang; Google's page on localized versions).
 *
 * @module
 */
import type { UrlIndex } from '../links/url-index.ts';
import type { Finding } from '../run/records/finding.ts';
import { LINK_TYPES, visitLinks } from '../run/records/link-list.ts';
import type { StoredFacts } from '../run/records/page.ts';
import type { RunStore } from '../run/run-store.ts';
import { isLanguageCode } from './language-code.ts';

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
export function* findAlternateProblems(run: RunStore, index: UrlIndex, agents: number): Generator<Finding> {
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
        const reasons = run.rows.reasons(index.getKey(other), agent);
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
      if (run.rows.reasons(key, agent) === 0 && isWithoutDefault(codes))
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
  for (const { key, links } of rows.links.readAllLinks()) {
    const page = index.find(key);
    const others = new Set<number>();
    visitLinks(links, LINK_TYPES.alternate, (to) => {
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

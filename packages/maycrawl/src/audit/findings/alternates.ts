/**
 * Findings about versions in other languages (rel="alternate" with hreflang; Google, "Tell Google about localized versions of your page").
 *
 * @module
 */
import type { UrlIndex } from '../links/url-index.ts';
import type { Finding } from '../run/finding.ts';
import { LINK_TYPES, visitLinks } from '../run/link-list.ts';
import type { StoredFacts } from '../run/run-store.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';
import { isLanguageCode } from './language-code.ts';

/** Pages that name versions. More of them are not examined. */
const MAX_PAGES = 1_000_000;
/** Versions of a page that a finding lists. */
const MAX_TARGETS = 10;

/** Pages by number (UrlIndex), and the versions that each of them names. */
type Versions = ReadonlyMap<number, ReadonlySet<number>>;

/** Finds wrong languages, and versions that do not name the page in return or cannot be indexed. */
export async function* findAlternateProblems(
  run: SqliteRun,
  index: UrlIndex,
  agents: number,
): AsyncGenerator<Finding> {
  const versions = readVersions(run, index);
  for (let agent = 0; agent < agents; agent++)
    for (const [page, others] of versions) {
      const key = index.getKey(page);
      // What the crawler may not fetch names no versions, and a redirect or an error has none.
      const facts = await readFacts(run, key, agent);
      if (facts === null) continue;
      const unreturned: number[] = [];
      const lost: number[] = [];
      for (const other of others) {
        const reasons = run.rows.reasons(index.getKey(other), agent);
        if (reasons === undefined) continue;
        if (reasons !== 0) lost.push(other);
        else if (!versions.get(other)?.has(page)) unreturned.push(other);
      }
      const codes = facts.alternates.map(({ hreflang }) => hreflang).filter((code) => !isLanguageCode(code));
      const readUrls = (numbers: readonly number[]): Promise<string[]> =>
        readTargets(run, index, numbers.slice(0, MAX_TARGETS));
      const about = { agent, key };
      if (codes.length > 0)
        yield { ...about, code: 'hreflang-unknown-language', detail: codes[0] ?? null, targets: [] };
      if (lost.length > 0)
        yield { ...about, code: 'hreflang-not-indexable', detail: null, targets: await readUrls(lost) };
      if (unreturned.length > 0)
        yield {
          ...about,
          code: 'hreflang-without-return',
          detail: null,
          targets: await readUrls(unreturned),
        };
    }
}

/** Reads which pages name which others. A page may name itself, too. */
function readVersions({ rows }: SqliteRun, index: UrlIndex): Versions {
  const versions = new Map<number, Set<number>>();
  for (const { key, links } of rows.readAllLinks()) {
    if (versions.size >= MAX_PAGES) break;
    const page = index.find(key);
    const others = new Set<number>();
    visitLinks(links, LINK_TYPES.alternate, (to) => {
      const other = index.find(to);
      if (other >= 0 && other !== page) others.add(other);
    });
    if (others.size > 0) versions.set(page, others);
  }
  return versions;
}

/** Reads a page with status 200 that a crawler may fetch; `null` otherwise. */
async function readFacts(run: SqliteRun, key: number, agent: number): Promise<StoredFacts | null> {
  if ((await run.verdict(key, agent))?.isAllowed !== true) return null;
  const { outcome } = (await run.page(key)) ?? {};
  return outcome?.kind === 'page' && outcome.facts.status === 200 ? outcome.facts : null;
}

function readTargets(run: SqliteRun, index: UrlIndex, numbers: readonly number[]): Promise<string[]> {
  return Promise.all(numbers.map(async (number) => (await run.url(index.getKey(number)))?.url ?? ''));
}

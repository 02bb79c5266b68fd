// Pages without a refusal that nearly all other pages of their folder have: a template that lacks it, or a page that was forgotten.
import { MAIN_PURPOSES, PAGE_SOURCES } from '@maycrawl/core/preferences';
import type { Finding } from '../../run/records/finding.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { UseRow } from '../../run/tables/preference-tables.ts';
import { getSegments, type Segments } from '../../segments/segments.ts';

/** Kinds about pages that lack a refusal. */
export const REFUSAL_KINDS = {
  'mixed-preferences': {
    severity: 'warning',
    rank: 240,
    one: '1 page lacks the refusal that the other pages of its folder have',
    many: '# pages lack the refusal that the other pages of their folder have',
    sentence: 'Lacks the refusal that the other pages of its folder have',
    cost: 'For these pages nothing is declared, so crawlers may use them.',
    action: 'Add the same header or meta element, or state in robots.txt what applies to the whole folder.',
    decision:
      'The folder is one of the twenty largest and has at least ten HTML pages with status 2xx that the crawler may fetch. At least 90 % of them refuse a use by a header or an element of their own, and nothing is declared for this page. A page that allows the use is not reported.',
    example: '897 of 900 pages in /blog/ have noai, and /blog/new has not',
    source: 'preferences',
  },
} as const;

/** Pages of a folder, at least, and the share of those that refuse. A page that allows the use is an exception on purpose. */
const [MIN_PAGES, MIN_SHARE] = [10, 0.9] as const;

/** The pages of a folder for one crawler. */
interface FolderCount {
  pages: number;
  /** Pages that refuse the use themselves, by purpose. */
  readonly refusals: Map<string, number>;
}

/** Finds the pages. */
export function* findMissingRefusals(run: RunStore): Generator<Finding<keyof typeof REFUSAL_KINDS>> {
  if (!run.preferences.hasDeclarations) return;
  const folders = getSegments(run, []);
  const counts = countRefusals(run, folders);
  for (const [key, { pages, refusals }] of counts) {
    const isMixed = [...refusals.values()].some((count) => count < pages && count >= pages * MIN_SHARE);
    if (pages < MIN_PAGES || !isMixed) counts.delete(key);
  }
  if (counts.size === 0) return;
  for (const row of findPages(run)) {
    const folder = folders.find(row.url);
    const count = counts.get(getKey(folder, row.agent));
    if (count === undefined) continue;
    const { pages, refusals } = count;
    const purpose = MAIN_PURPOSES.find((each) => {
      const refusing = refusals.get(each) ?? 0;
      return refusing >= pages * MIN_SHARE && isUndeclared(run, row, each);
    });
    if (purpose === undefined) continue;
    const name = folders.names[folder] ?? '';
    const detail = `${purpose}: ${refusals.get(purpose)} of ${pages} pages in ${name} refuse it`;
    yield { code: 'mixed-preferences', agent: row.agent, key: row.key, detail, targets: [] };
  }
}

function countRefusals(run: RunStore, folders: Segments): Map<string, FolderCount> {
  const counts = new Map<string, FolderCount>();
  for (const row of findPages(run)) {
    const key = getKey(folders.find(row.url), row.agent);
    const count = counts.get(key) ?? { pages: 0, refusals: new Map() };
    counts.set(key, count);
    count.pages++;
    if (row.preferences === null) continue;
    const { purposes } = run.preferences.read(row.preferences);
    for (const purpose of MAIN_PURPOSES) {
      const { value, source = null } = purposes[purpose] ?? {};
      if (value === 'disallowed' && source !== null && PAGE_SOURCES.includes(source))
        count.refusals.set(purpose, (count.refusals.get(purpose) ?? 0) + 1);
    }
  }
  return counts;
}

function* findPages(run: RunStore): Generator<UseRow> {
  for (const row of run.preferences.rows())
    if (row.allowed === 1 && row.hasContent === 1 && row.isHtml === 1) yield row;
}

function getKey(folder: number, agent: number): string {
  return `${folder} ${agent}`;
}

/** Whether no statement is about the use of a page. A group of a policy token is about a whole site. */
function isUndeclared(run: RunStore, { preferences }: UseRow, purpose: string): boolean {
  const declared = preferences === null ? undefined : run.preferences.read(preferences).purposes[purpose];
  return (
    (declared?.format ?? null) === null ||
    (declared?.value === 'allowed' && declared.format === 'policy-token')
  );
}

// The rows of the table of preferences, grouped by the main purpose of the crawlers.
import type { CrawlerPreferences } from '../judging/preferences.ts';
import type { ListedCrawler, PurposeGroup } from '../matrix/crawler-groups.ts';

/** A row, and what is documented about its crawler. */
export interface CrawlerRow extends CrawlerPreferences {
  readonly notes: readonly string[];
  /** Whether it is a name for rules, without requests. */
  readonly isPolicyToken: boolean;
}

/** The rows of a main purpose. */
export interface RowGroup {
  readonly title: string;
  readonly rows: readonly CrawlerRow[];
}

/** Purposes whose crawlers are first, because most owners look for them. */
const FIRST_PURPOSES = ['ai-train', 'ai-input'];

/** Groups rows: crawlers for AI first, then in the order of the catalogue. Crawlers that it does not contain are last. */
export function groupRows(
  catalogue: readonly PurposeGroup[],
  rows: readonly CrawlerPreferences[],
): RowGroup[] {
  const byName = new Map(rows.map((row) => [row.crawler, row]));
  const toRow = ({ name, notes, isPolicyToken }: ListedCrawler): CrawlerRow[] => {
    const row = byName.get(name);
    if (row === undefined || !byName.delete(name)) return [];
    return [{ ...row, notes, isPolicyToken }];
  };
  const isFirst = ({ purpose }: PurposeGroup): boolean => FIRST_PURPOSES.includes(purpose);
  const ordered = [...catalogue.filter(isFirst), ...catalogue.filter((group) => !isFirst(group))];
  const groups = ordered.map(({ title, common, others }) => ({
    title,
    rows: [...common, ...others].flatMap(toRow),
  }));
  const unlisted = Array.from(byName.values(), (row) => ({ ...row, notes: [], isPolicyToken: false }));
  const title = catalogue.length === 0 ? 'Crawlers' : 'Not in the catalogue';
  return [...groups, { title, rows: unlisted }].filter((group) => group.rows.length > 0);
}

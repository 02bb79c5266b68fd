// The impact of changed records that decide no verdict: sitemaps, crawl delays and other fields.
import type { Group, RobotsTxt } from '@maycrawl/core';
import { DECLARING_FIELDS } from '@maycrawl/core/preferences';
import type { FileImpact } from './impact-types.ts';

const MAX_NAMED = 5;
const MAX_DETAILS = 20;

/** The records that only one of two files has. Both lists are empty if records are only in other groups. */
export interface RecordChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Compares sitemaps and other records.
 *
 * @param omitsDeclarations - whether changed declarations about the use of content are reported as such.
 * @returns `null` if both files have the same records, for the same crawlers.
 */
export function compareOtherRecords(
  before: RobotsTxt,
  after: RobotsTxt,
  omitsDeclarations: boolean,
): RecordChanges | null {
  const [old, now] = [before, after].map((file) => listOtherRecords(file, omitsDeclarations)) as [
    OtherRecord[],
    OtherRecord[],
  ];
  if (JSON.stringify(old) === JSON.stringify(now)) return null;
  return { added: findNew(now, old), removed: findNew(old, now) };
}

function findNew(records: readonly OtherRecord[], others: readonly OtherRecord[]): string[] {
  const texts = new Set(others.map(({ text }) => text));
  return [...new Set(records.map(({ text }) => text))].filter((text) => !texts.has(text));
}

/**
 * Describes changed records: the first of them in the title.
 *
 * @param isMissing - whether the new response is no file with records: the title says so, and the records are only in the text.
 */
export function describeRecords({ added, removed }: RecordChanges, isMissing: boolean): FileImpact {
  const changes = [...added.map((text) => `added: ${text}`), ...removed.map((text) => `removed: ${text}`)];
  const [first = 'records are in other groups', ...rest] = changes;
  const more = rest.length > 0 ? ` and ${rest.length} more` : '';
  return {
    aspects: ['records'],
    lines: isMissing
      ? ['', ...changes.slice(0, MAX_NAMED)]
      : [`${first}${more}`, ...rest.slice(0, MAX_NAMED)],
    details: { records: { added: added.slice(0, MAX_DETAILS), removed: removed.slice(0, MAX_DETAILS) } },
  };
}

/** Other text, such as markup or a merge conflict, is no record that any crawler reads. */
const FIELD_NAME = /^[a-z][\w -]*$/i;

/** A record without an effect on verdicts, with the crawlers of its group. */
interface OtherRecord {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** Lists sitemaps and other records, sorted. */
function listOtherRecords(robots: RobotsTxt, omitsDeclarations: boolean): OtherRecord[] {
  const groups: ReadonlyMap<number, Group> = new Map(
    robots.groups().flatMap((group) => group.others.map(({ line }) => [line, group] as const)),
  );
  const others = robots
    .records()
    .filter(
      ({ kind, field }) =>
        kind === 'sitemap' ||
        (kind === 'other' &&
          FIELD_NAME.test(field) &&
          !(omitsDeclarations && DECLARING_FIELDS.includes(field.toLowerCase()))),
    );
  const records = others.map(({ kind, field, text, line }) => {
    const tokens = groups.get(line)?.userAgents.map(({ productToken }) => productToken) ?? [];
    return {
      text: `${kind === 'sitemap' ? 'Sitemap' : field.toLowerCase()}: ${text}`,
      tokens: tokens.sort(),
    };
  });
  const getKey = (record: OtherRecord): string => JSON.stringify(record);
  return records.sort((a, b) => (getKey(a) < getKey(b) ? -1 : 1));
}

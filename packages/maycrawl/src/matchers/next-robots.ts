// The text that Next.js sends for the object of `app/robots.ts` (`resolveRobots` in its `resolve-route-data.ts`, read on 2026-11-29):
// empty values are omitted, so `disallow: ''` writes no line, and a rule without `userAgent` is for `*`.
import { findNearestName, quoteValue } from '@maycrawl/core/internal';

/** A rule of {@link NextRobots}. Other keys with text, numbers or lists of them are lines of their own. */
export interface NextRobotsRule {
  /** @defaultValue `'*'` */
  readonly userAgent?: string | readonly string[] | undefined;
  readonly allow?: string | readonly string[] | undefined;
  readonly disallow?: string | readonly string[] | undefined;
  readonly crawlDelay?: number | undefined;
}

/** The object that `app/robots.ts` of Next.js returns (`MetadataRoute.Robots`). */
export interface NextRobots {
  readonly rules: NextRobotsRule | readonly NextRobotsRule[];
  readonly sitemap?: string | readonly string[] | undefined;
  readonly host?: string | undefined;
}

const RULE_KEYS = ['userAgent', 'allow', 'disallow', 'crawlDelay'];
const FILE_KEYS = ['rules', 'sitemap', 'host'];

/**
 * Serializes the object as Next.js does.
 *
 * @throws {TypeError} if a value has another type than in `MetadataRoute.Robots`, or if a key is misspelled. Versions of Next.js differ in
 *   other keys of a rule: the newest write them as lines, which is what this function does.
 */
export function serializeNextRobots(robots: NextRobots): string {
  for (const key of Object.keys(robots))
    if (!FILE_KEYS.includes(key)) throw new TypeError(describeKey(key, FILE_KEYS));
  const { rules, host, sitemap } = robots;
  const groups = toList(rules).map(serializeRule);
  const lines = [...formatLines('Host', host, 'host'), ...formatLines('Sitemap', sitemap, 'sitemap')];
  return [...groups.map((group) => [...group, '']), lines]
    .flat()
    .map((line) => `${line}\n`)
    .join('');
}

function serializeRule(rule: NextRobotsRule): string[] {
  if (typeof rule !== 'object' || rule === null)
    throw new TypeError(`a rule of Next.js must be an object, not ${quoteValue(rule)}`);
  const { userAgent, allow, disallow, crawlDelay, ...others } = rule;
  for (const key of Object.keys(others))
    if (findNearestName(key, RULE_KEYS) !== undefined) throw new TypeError(describeKey(key, RULE_KEYS));
  return [
    ...formatLines('User-Agent', userAgent || '*', 'userAgent'),
    ...formatLines('Allow', allow, 'allow'),
    ...formatLines('Disallow', disallow, 'disallow'),
    ...formatLines('Crawl-delay', crawlDelay, 'crawlDelay'),
    // These lines have empty values, too.
    ...Object.entries(others).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : toList(value).map((each) => formatLine(key, each, key)),
    ),
  ];
}

/** Formats the lines of a property. A property with an empty value has no line. */
function formatLines(field: string, value: unknown, key: string): string[] {
  return value ? toList(value).map((each) => formatLine(field, each, key)) : [];
}

function formatLine(field: string, value: unknown, key: string): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError(
      `"${key}" of Next.js must be text, a number or a list of them, not ${quoteValue(value)}`,
    );
  return `${field}: ${value}`;
}

function toList<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? value : [value as Value];
}

function describeKey(key: string, names: readonly string[]): string {
  const nearest = findNearestName(key, names);
  const hint = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
  return `MetadataRoute.Robots of Next.js has no key ${quoteValue(key)}${hint}`;
}

// A scenario: a site on loopback whose robots.txt responds in a certain way, and what that means for its pages. Responses have the form
// of conformance/fetching.jsonl.
import type { Requirement } from '../api/conformance-report.ts';

/** A text, or texts with the number of times that each is repeated. */
export type Body = string | readonly (readonly [text: string, count: number])[];

/** A response, or bytes on the connection and what follows them. */
export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: Body }
  | { readonly raw: string; readonly end: 'close' | 'reset' | 'wait' };

/** The documents by which requests are judged. */
export const AUTHORITIES = ['rfc9309', 'google'] as const;
export type Authority = (typeof AUTHORITIES)[number];

/** A response to a request for robots.txt, and what is required from then on. */
type Phase = { readonly reply: Reply } & Readonly<Record<Authority, Requirement>>;

/** Paths of pages; those of the second origin begin with `{other}`. */
export interface Pages {
  readonly open: readonly string[];
  /** The pages that the file disallows. */
  readonly private: readonly string[];
}

/** In texts, `{agent}` is the product token of the crawler, and `{site}`, `{other}` and `{localhost}` are origins: two ports, and the name of the second. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The responses to the first, second, ... request for robots.txt. The last one is also that to all later ones. */
  readonly phases: readonly [Phase, ...Phase[]];
  readonly pages: Pages;
  /** Further paths of the site, such as targets of redirects. */
  readonly paths?: Readonly<Record<string, Reply>>;
  /** Paths of the second origin; its robots.txt does not exist unless it is here. */
  readonly otherPaths?: Readonly<Record<string, Reply>>;
  /** Whether the file names the crawler. */
  readonly needsAgent?: boolean;
}

const PAGES: Pages = { open: ['/open/1', '/open/2'], private: ['/private/1', '/private/2'] };

/** The file of most scenarios. */
export const FILE = 'User-agent: *\nDisallow: /private\n';

/** Creates a scenario with one response. */
export function defineScenario(
  id: string,
  title: string,
  reply: Reply,
  requirements: Readonly<Record<Authority, Requirement>>,
  details: Partial<Scenario> = {},
): Scenario {
  return { id, title, phases: [{ reply, ...requirements }], pages: PAGES, ...details };
}

/** What RFC 9309 requires. */
export function byRfc(section: string, forbidden: Requirement['forbidden'], vector?: string): Requirement {
  return { forbidden, source: `RFC 9309 section ${section}`, ...(vector !== undefined && { vector }) };
}

/** What Google's page requires. */
export function byGoogle(
  section: keyof typeof GOOGLE_SECTIONS,
  forbidden: Requirement['forbidden'],
  vector?: string,
): Requirement {
  const source = `${GOOGLE_PAGE}, ${GOOGLE_SECTIONS[section]}`;
  return { forbidden, source, ...(vector !== undefined && { vector }) };
}

const GOOGLE_PAGE = 'How Google interprets the robots.txt specification (2026-04-14)';
const GOOGLE_SECTIONS = {
  status: 'Handling of errors and HTTP status codes',
  format: 'File format',
  syntax: 'Syntax',
  groups: 'Grouping of lines and rules',
  matching: 'URL matching based on path values',
  location: 'File location and range of validity',
  caching: 'Caching',
} as const;

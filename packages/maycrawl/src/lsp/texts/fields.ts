// The fields that hovers explain and completion offers, with their sources: RFC 9309 section 2.2, and for the others the documents that
// docs/preferences.md and docs/operators.md name.
import { OPERATOR_RECORDS } from '@maycrawl/core/crawlers';

/** A field. */
export interface Field {
  /** The usual spelling. */
  readonly name: string;
  /** One or two sentences, without markup. */
  readonly description: string;
}

/** The fields in the order of completion. */
export const FIELDS: readonly Field[] = [
  {
    name: 'User-agent',
    description:
      'Starts a group: the rules after it apply to the crawlers of this name, and * means all crawlers without a group of their own. Several lines in succession start one group.',
  },
  {
    name: 'Disallow',
    description:
      'Crawlers of the group may not fetch URLs whose path and query match. The longest matching rule decides. An empty value disallows nothing.',
  },
  {
    name: 'Allow',
    description:
      'Crawlers of the group may fetch URLs whose path and query match. The longest matching rule decides, and of an allow and a disallow rule of the same length the allow rule.',
  },
  {
    name: 'Sitemap',
    description:
      'The absolute URL of a sitemap. It belongs to no group and is for all crawlers. There can be several.',
  },
  {
    name: 'Crawl-delay',
    description:
      'The seconds between two requests. It is no part of RFC 9309 and changes no verdict, and Google ignores it.',
  },
  {
    name: 'Content-Signal',
    description:
      'Declares what the content may be used for after it was fetched (contentsignals.org): search, ai-input and ai-train, each with yes or no. It changes no verdict.',
  },
  {
    name: 'Content-Usage',
    description:
      'Declares what the content may be used for after it was fetched (IETF AIPREF, a draft): train-ai, ai-use and search, each with y or n, after an optional path. It changes no verdict.',
  },
  {
    name: 'License',
    description:
      'The URL of an RSL document with the terms of use (Really Simple Licensing). It changes no verdict.',
  },
];

const BY_KIND = { 'user-agent': 0, disallow: 1, allow: 2, sitemap: 3 } as const;

/** Finds the field of a record. @param kind - the kind of the record, which is also that of a misspelled field. */
export function findField(kind: string, name: string): Field | undefined {
  if (kind in BY_KIND) return FIELDS[BY_KIND[kind as keyof typeof BY_KIND]];
  const lower = name.toLowerCase();
  return FIELDS.find(
    (field) => field.name.toLowerCase() === (lower === 'content-signals' ? 'content-signal' : lower),
  );
}

/** The operators whose documentation says that a crawler of theirs obeys `Crawl-delay`. */
export function listDelayOperators(): string[] {
  const obeying = OPERATOR_RECORDS.filter(
    ({ crawlDelay }) => crawlDelay === 'obeys' || crawlDelay === 'inherits-default',
  );
  return [...new Set(obeying.map(({ operator }) => operator))];
}

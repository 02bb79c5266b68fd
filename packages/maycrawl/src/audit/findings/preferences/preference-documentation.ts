/**
 * How each kind of findings about the use of content is decided.
 *
 * @module
 */
import type { PreferenceCode } from '../../run/records/finding.ts';
import type { FindingDocumentation } from '../kinds/finding-kind.ts';
import { SOURCES } from '../sources.ts';

/** The documentation by code. */
export const PREFERENCE_DOCUMENTATION: Readonly<Record<PreferenceCode, FindingDocumentation>> = {
  'preferences-conflict': {
    decision:
      'The crawler may fetch the URL, the status is 2xx, and one statement refuses a use that another one allows: two formats, or one format in two places, such as robots.txt and a header. A header of the TDM Reservation Protocol replaces the file, and a meta element the header, so these contradict nothing. The detail names both.',
    example: 'Content-Signal: ai-train=yes in robots.txt, <meta name="robots" content="noai"> on the page',
    source: SOURCES.preferences,
  },
  'preference-syntax': {
    decision:
      'The crawler may fetch the page, the status is 2xx, and a Content-Usage or Content-Signal header or meta element cannot be parsed, or has no label or value that its format defines, a tdm-reservation is neither 0 nor 1, an RSL document in the page is not well-formed, or the page has more statements than are read. The detail is the reason and the statement.',
    example: 'Content-Usage: Train-AI=n',
    source: SOURCES.usage,
  },
  'mixed-preferences': {
    decision:
      'The folder is one of the twenty largest and has at least ten HTML pages with status 2xx that the crawler may fetch. At least 90 % of them refuse a use by a header or an element of their own, and nothing is declared for this page. A page that allows the use is not reported.',
    example: '897 of 900 pages in /blog/ have noai, and /blog/new has not',
    source: SOURCES.preferences,
  },
  'preference-never-read': {
    decision:
      'The robots.txt disallows the URL to this crawler, another crawler of the audit fetched it, and its headers or elements say something about its use to this crawler. The detail is the statement.',
    example: '<meta name="robots" content="noai"> on /private/, and Disallow: /private/',
    source: SOURCES.attachment,
  },
  'use-without-crawl': {
    decision:
      'The robots.txt disallows the URL to the crawler, and a line of robots.txt or a rule of tdmrep.json with a path that matches the URL allows a use. A permission for the whole site is not reported. The detail is the statement.',
    example: 'Disallow: /shop/ and Content-Usage: /shop/ train-ai=y',
    source: SOURCES.attachment,
  },
};

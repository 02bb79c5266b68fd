/**
 * The kinds of findings about the use of content (preferences.ts). None is an error: preferences change no verdict.
 *
 * @module
 */
import type { PreferenceCode } from '../../run/records/finding.ts';
import type { FindingKind } from '../kinds/finding-kind.ts';

/** The kinds by code. */
export const PREFERENCE_KINDS: Readonly<Record<PreferenceCode, FindingKind>> = {
  'preferences-conflict': {
    severity: 'warning',
    one: 'Statements about the use of 1 URL contradict each other',
    many: 'Statements about the use of # URLs contradict each other',
    cost: 'maycrawl counts the refusal. Crawlers may read only one of the statements, and it may be the permission.',
    action: 'Let all formats and places say the same.',
  },
  'preference-syntax': {
    severity: 'warning',
    one: '1 page has a statement about its use that says nothing',
    many: '# pages have a statement about their use that says nothing',
    cost: 'Crawlers ignore the statement, as if it were missing.',
    action: 'Correct the header, the meta element or the RSL document as its format requires.',
  },
  'mixed-preferences': {
    severity: 'warning',
    one: '1 page lacks the refusal that the other pages of its folder have',
    many: '# pages lack the refusal that the other pages of their folder have',
    cost: 'For these pages nothing is declared, so crawlers may use them.',
    action: 'Add the same header or meta element, or state in robots.txt what applies to the whole folder.',
  },
  'preference-never-read': {
    severity: 'info',
    one: 'The crawler never reads what 1 page says about its use',
    many: 'The crawler never reads what # pages say about their use',
    cost: 'The robots.txt disallows the pages. A permission has no effect, and a refusal changes nothing.',
    action: 'Nothing, if the crawler should not fetch them. Otherwise allow the pages in robots.txt.',
  },
  'use-without-crawl': {
    severity: 'info',
    one: 'The use of 1 URL is allowed that the crawler may not fetch',
    many: 'The use of # URLs is allowed that the crawler may not fetch',
    cost: 'The permission has no effect.',
    action: 'Allow the URLs in robots.txt, or remove the permission for their path.',
  },
};

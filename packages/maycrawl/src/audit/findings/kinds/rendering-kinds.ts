/**
 * The kinds of findings about what scripts change of pages (rendering.ts).
 *
 * @module
 */
import type { RenderingCode } from '../../run/records/finding.ts';
import type { FindingKind } from './finding-kind.ts';

/** The kinds by code. */
export const RENDERING_KINDS: Readonly<Record<RenderingCode, FindingKind>> = {
  'rendered-noindex-added': {
    severity: 'error',
    one: '1 page has noindex only after its scripts have run',
    many: '# pages have noindex only after their scripts have run',
    cost: 'Crawlers that run scripts do not index it, and others do not see the noindex.',
    action:
      'If noindex is intended, send it in the HTML or in a header. Otherwise find the script that adds it.',
  },
  'rendered-noindex-removed': {
    severity: 'error',
    one: 'Scripts remove the noindex of 1 page',
    many: 'Scripts remove the noindex of # pages',
    cost: 'Google may skip the scripts of a page with noindex, and other crawlers do not run them: the page stays out of the index.',
    action: 'If the page should be indexed, send HTML without noindex.',
  },
  'rendered-canonical-changed': {
    severity: 'warning',
    one: 'Scripts change the canonical of 1 page',
    many: 'Scripts change the canonicals of # pages',
    cost: 'Crawlers that do not run scripts see another canonical or none. Search engines may use either, and ignore several different ones.',
    action:
      'Send the final canonical in the HTML, and let no script change it. Google also accepts a canonical that only a script adds.',
  },
  'rendered-links-only': {
    severity: 'warning',
    one: '1 page has links that only its scripts add',
    many: '# pages have links that only their scripts add',
    cost: 'Crawlers that do not run scripts do not find these links, and others find them later.',
    action: 'Send the links in the HTML, as anchors with href.',
  },
  'rendered-redirect': {
    severity: 'warning',
    one: 'Scripts of 1 page lead to another URL',
    many: 'Scripts of # pages lead to other URLs',
    cost: 'Crawlers that do not run scripts read a page that visitors do not see.',
    action: 'Redirect with a status, such as 301.',
  },
  'rendered-resource-blocked': {
    severity: 'warning',
    one: '1 page was rendered without files that robots.txt disallows',
    many: '# pages were rendered without files that robots.txt disallows',
    cost: 'A crawler that renders the page does not get these files either, so it may miss content and links.',
    action:
      'Allow the scripts, styles and data that the page needs. Files of other sites that only count visitors are not needed.',
  },
  'not-rendered': {
    severity: 'warning',
    one: '1 page could not be rendered',
    many: '# pages could not be rendered',
    cost: 'What its scripts change is unknown, and crawlers that run scripts may fail, too.',
    action:
      'See the detail: shorten scripts that do not end or take too much memory; if the page did not load, check the server.',
  },
  'rendered-title-changed': {
    severity: 'info',
    one: 'Scripts change the title of 1 page',
    many: 'Scripts change the titles of # pages',
    cost: 'Crawlers that do not run scripts see another title.',
    action: 'Send the final title in the HTML.',
  },
};

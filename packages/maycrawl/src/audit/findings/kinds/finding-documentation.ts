/**
 * How each kind of findings is decided, with an example and a source. docs/findings.md is written from it.
 *
 * @module
 */
import { freezeDeep } from '@maycrawl/core/options';
import type { FindingCode } from '../../run/records/finding.ts';
import { PREFERENCE_DOCUMENTATION } from '../preferences/preference-documentation.ts';
import { SOURCES } from '../sources.ts';
import type { FindingDocumentation } from './finding-kind.ts';

/** The documentation by code. */
export const FINDING_DOCUMENTATION: Readonly<Record<FindingCode, FindingDocumentation>> =
  /* @__PURE__ */ freezeDeep({
    'server-error': {
      decision:
        'The last response of the URL had a status from 500 to 599, or 429, after three attempts for 429 and 503.',
      example: 'GET /cart → 503',
      source: SOURCES.errors,
    },
    'no-response': {
      decision:
        'The connection failed or ended, the response was invalid, or it took longer than --timeout. The detail is the code of the failure.',
      example: 'GET /report → timeout',
      source: SOURCES.errors,
    },
    'redirect-without-target': {
      decision:
        'The status is 300 to 399, and no redirect follows from it: Location is missing or is not an http or https URL.',
      example: '301 without Location',
      source: SOURCES.location,
    },
    'not-reachable': {
      decision:
        'The run is complete, and the URL is indexable for the crawler, but no chain of links, redirects and sitemap entries leads to it from a start through pages that this crawler may fetch.',
      example: '/shop/ is disallowed, and only /shop/ links to /sale',
      source: SOURCES.links,
    },
    'broken-link': {
      decision:
        'A page links to the URL, and its status is 404 or 410. Targets of redirects are not counted here.',
      example: '<a href="/old-page"> → 404',
      source: SOURCES.errors,
    },
    'listed-not-indexable': {
      decision:
        'A sitemap of the run lists the URL, and it has a reason not to be indexable. The detail is the primary reason.',
      example: '<loc>https://example.com/cart</loc> → noindex',
      source: SOURCES.sitemap,
    },
    'redirect-loop': {
      decision: 'A URL occurs twice in the chain of redirects.',
      example: '/a → /b → /a',
      source: SOURCES.redirects,
    },
    'redirect-to-error': {
      decision:
        'The URL at the end of the redirects has an error status or no response. The detail says which.',
      example: '/old → /new → 404',
      source: SOURCES.redirects,
    },
    'redirect-to-blocked': {
      decision: 'The robots.txt of its site disallows the URL at the end of the redirects to the crawler.',
      example: '/old → /private/new, Disallow: /private/',
      source: SOURCES.robots,
    },
    'canonical-ignored': {
      decision:
        'A canonical link has no effect, and names another URL than those that have one: it is not an http or https URL, outside the head, empty, or has hreflang, lang, media or type. The detail is the reason.',
      example: '<link rel="canonical" href="file:///C:/site/index.html">',
      source: SOURCES.canonical,
    },
    'canonical-conflict': {
      decision:
        'The canonical links of the page, in the head and in Link headers, name at least two different URLs.',
      example: '<link rel="canonical" href="/a"> and Link: </b>; rel="canonical"',
      source: SOURCES.mistakes,
    },
    'canonical-to-error': {
      decision: 'The canonical URL has an error status or no response. The detail says which.',
      example: '/red-shoes names /shoes → 404',
      source: SOURCES.mistakes,
    },
    'canonical-to-blocked': {
      decision: 'The robots.txt of its site disallows the canonical URL to the crawler.',
      example: '/red-shoes names /private/shoes, Disallow: /private/',
      source: SOURCES.canonical,
    },
    'canonical-to-noindex': {
      decision: 'The canonical page has a noindex that applies to the crawler.',
      example: '/red-shoes names /shoes, which has noindex',
      source: SOURCES.canonical,
    },
    'rendered-noindex-added': {
      decision:
        'The HTML and the headers of the page have no noindex that applies to the crawler, which runs scripts; after the scripts of the page it has one.',
      example: 'document.head.append(robotsMetaWithNoindex)',
      source: SOURCES.script,
    },
    'rendered-noindex-removed': {
      decision:
        'The HTML or the headers have a noindex that applies to the crawler; scripts of the page remove it.',
      example: 'document.querySelector("meta[name=robots]").remove()',
      source: SOURCES.script,
    },
    'hidden-noindex': {
      decision:
        'The crawler may not fetch the URL, and another crawler of the run has seen a noindex on it that would apply to this one, too.',
      example: 'Disallow: /members/, and /members/ sends X-Robots-Tag: noindex',
      source: SOURCES.noindex,
    },
    'access-denied': {
      decision: 'The status is 401 or 403, and links lead from a start to the URL.',
      example: 'GET /members → 403',
      source: SOURCES.errors,
    },
    'hreflang-unknown-language': {
      decision:
        'A value of hreflang is neither x-default nor a language of ISO 639-1 with an optional script of ISO 15924 and country of ISO 3166-1. The detail is the value.',
      example: 'hreflang="en-UK"',
      source: SOURCES.language,
    },
    'hreflang-not-indexable': {
      decision:
        'A version that the page names with hreflang has a verdict and is not indexable for the crawler.',
      example: 'hreflang="de" names /de/ → 404',
      source: SOURCES.language,
    },
    'hreflang-without-return': {
      decision: 'A version that the page names with hreflang is indexable, and does not name the page.',
      example: '/en/ names /de/, and /de/ names no /en/',
      source: SOURCES.language,
    },
    'no-not-found-status': {
      decision:
        'The audit requested a URL with a random UUID, which does not exist. The response had a status from 200 to 299, or redirected to a page that has status 200 in this run.',
      example: 'GET /maycrawl-6f1c… → 200',
      source: SOURCES.soft,
    },
    'soft-404': {
      decision:
        'The status is 200. The page has the bytes of a page with status 404 or 410, or of the response to a URL that does not exist; or its title and nearly its size; or its title begins with words such as "404" or "Page not found".',
      example: 'GET /old-product → 200, "Page not found"',
      source: SOURCES.soft,
    },
    'blocked-resource': {
      decision:
        'The page is indexable, and a rule of a robots.txt disallows a script or stylesheet that it names to the crawler. The detail quotes the rules.',
      example: '/assets/app.js, Disallow: /assets/',
      source: SOURCES.script,
    },
    'redirect-to-noindex': {
      decision: 'The page at the end of the redirects has a noindex that applies to the crawler.',
      example: '/old → /new, which has noindex',
      source: SOURCES.redirects,
    },
    'redirect-to-canonicalised': {
      decision: 'The page at the end of the redirects names another URL as its canonical.',
      example: '/old → /new, which names /final',
      source: SOURCES.canonical,
    },
    'redirect-chain': {
      decision: 'There are at least two redirects before the end.',
      example: '/a → /b → /c',
      source: SOURCES.redirects,
    },
    'canonical-to-redirect': {
      decision:
        'The canonical URL redirects. The detail is why the URL at the end of the redirects cannot be indexed, if it cannot.',
      example: '/red-shoes names /shoes → 301',
      source: SOURCES.canonical,
    },
    'canonical-chain': {
      decision: 'The canonical page names another URL as its canonical.',
      example: '/a names /b, which names /c',
      source: SOURCES.canonical,
    },
    'rendered-canonical-changed': {
      decision:
        'The URLs of the canonicals that count differ before and after the scripts of the page. The page has no noindex in its HTML or headers. The detail: added, removed, replaced, or several different ones.',
      example: '<link rel="canonical" href="/app"> becomes href="/app/shoes"',
      source: SOURCES.script,
    },
    'rendered-links-only': {
      decision: 'The rendered page has anchors that lead to URLs to which the HTML does not link.',
      example: '<div id="app"></div>, which a script fills with links',
      source: SOURCES.links,
    },
    'rendered-redirect': {
      decision: 'A script of the page leads the browser to another URL.',
      example: 'location.replace("/new")',
      source: SOURCES.redirects,
    },
    'rendered-resource-blocked': {
      decision:
        'The page was rendered as this crawler does, and requested files that robots.txt disallows to it and that its HTML does not name, or that redirect to disallowed URLs. The detail has the rules.',
      example: 'fetch("/api/products"), Disallow: /api/',
      source: SOURCES.script,
    },
    'not-rendered': {
      decision:
        'The page did not respond with status 200 when it was requested again, or Chromium could not render it within the limits of time and memory. The detail is the reason.',
      example: 'for (;;) {}',
      source: SOURCES.script,
    },
    'duplicate-content': {
      decision: 'At least two indexable HTML pages have the same bytes. The detail is their digest.',
      example: '/page and /page?ref=1',
      source: SOURCES.canonical,
    },
    'duplicate-title': {
      decision: 'At least two indexable HTML pages have the same title. The detail is the title.',
      example: '<title>Index</title> on 30 pages',
      source: SOURCES.title,
    },
    'missing-title': {
      decision: 'The page is indexable HTML without a title element, or its title is empty.',
      example: '<head></head>',
      source: SOURCES.title,
    },
    'not-listed': {
      decision:
        'The run is complete, its sitemaps list at least one URL, and none of them lists this indexable HTML page.',
      example: '/sale is in no sitemap',
      source: SOURCES.sitemap,
    },
    orphan: {
      decision:
        'The run is complete, and the crawler reaches the indexable URL by a sitemap, but not by links from a start.',
      example: 'Only /sitemap.xml names /landing',
      source: SOURCES.links,
    },
    'blocked-image': {
      decision:
        'The page is indexable, and a rule of a robots.txt disallows an image that it names to the crawler. The detail quotes the rules.',
      example: '/media/shoe.jpg, Disallow: /media/',
      source: SOURCES.images,
    },
    'hreflang-without-default': {
      decision:
        'The page is indexable and names versions in at least two languages, and none of them has hreflang="x-default".',
      example: 'hreflang="en" and hreflang="de" only',
      source: SOURCES.language,
    },
    'redirect-to-other-site': {
      decision:
        'The URL at the end of the redirects is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
      example: '/shop → https://shop.example/',
      source: SOURCES.redirects,
    },
    'redirect-to-unknown': {
      decision:
        'The run does not contain a response of the URL at the end of the redirects, for example because of --max-pages.',
      example: '/old → /new, which is waiting',
      source: SOURCES.redirects,
    },
    'canonical-to-other-site': {
      decision:
        'The canonical URL is outside the scope of the audit, and is indexable or was not fetched. The detail is its host.',
      example: '/article names https://magazine.example/article',
      source: SOURCES.canonical,
    },
    'canonical-to-unknown': {
      decision:
        'The run does not contain a response of the canonical URL, for example because of --max-pages.',
      example: '/red-shoes names /shoes, which is waiting',
      source: SOURCES.canonical,
    },
    'rendered-title-changed': {
      decision:
        'The page has no noindex, and its title differs before and after its scripts. The detail is the new one.',
      example: 'document.title = "Shoes"',
      source: SOURCES.title,
    },
    ...PREFERENCE_DOCUMENTATION,
  });

/**
 * The canonical URL of a page: `<link rel="canonical">` and the Link header (RFC 6596; Google, "Consolidate
 * duplicate URLs").
 *
 * @module
 */
import type { HtmlLink } from './html-facts.ts';
import { type HeaderLink, splitRelationTypes } from './link-header.ts';
import { resolveUrl } from './url.ts';

/** Why a statement is ignored. */
export type CanonicalIgnored =
  /** The element is in the body, possibly because an element that does not belong in the head ended it. */
  | 'in-body'
  /** The element is restricted to a language, a medium or a type. */
  | 'hreflang'
  | 'lang'
  | 'media'
  | 'type'
  /** The context of the link is not the page (RFC 8288 section 3.2). */
  | 'anchor'
  | 'empty'
  /** The target is not an http or https URL. */
  | 'invalid-url';

/** One link element or Link header with the relation `canonical`. */
export interface CanonicalStatement {
  readonly from: 'html' | 'header';
  readonly href: string;
  /** The target as {@link resolveUrl} returns it; `null` if it is empty or not a URL. */
  readonly url: string | null;
  readonly ignored: CanonicalIgnored | null;
}

/** The canonical URL that results from all statements. */
export type Canonical =
  | { readonly kind: 'absent'; readonly statements: readonly CanonicalStatement[] }
  /** The page is its own canonical. */
  | { readonly kind: 'self'; readonly statements: readonly CanonicalStatement[] }
  | { readonly kind: 'other'; readonly url: string; readonly statements: readonly CanonicalStatement[] }
  /** The statements disagree. Google ignores them all ("5 common mistakes with rel=canonical", 2013). */
  | {
      readonly kind: 'conflict';
      readonly urls: readonly string[];
      readonly statements: readonly CanonicalStatement[];
    };

const RESTRICTIONS = ['hreflang', 'lang', 'media', 'type'] as const;

/**
 * Reads the canonical statements among the link elements of a page.
 *
 * @param base - the URL that resolves relative targets.
 */
export function readHtmlCanonicals(links: readonly HtmlLink[], base: string): CanonicalStatement[] {
  return links
    .filter(({ rel }) => splitRelationTypes(rel).includes('canonical'))
    .map((link) => {
      const restriction = RESTRICTIONS.find((attribute) => link[attribute] !== null);
      return createStatement('html', link.href, base, link.inHead ? (restriction ?? null) : 'in-body');
    });
}

/**
 * Reads the canonical statements among the links of Link headers.
 *
 * @param url - the URL of the page.
 */
export function readHeaderCanonicals(links: readonly HeaderLink[], url: string): CanonicalStatement[] {
  const page = resolveUrl(url, url);
  return links
    .filter(({ rel }) => rel.includes('canonical'))
    .map(({ target, anchor }) => {
      const isAboutPage = anchor === null || resolveUrl(anchor, url) === page;
      return createStatement('header', target, url, isAboutPage ? null : 'anchor');
    });
}

function createStatement(
  from: CanonicalStatement['from'],
  href: string,
  base: string,
  reason: CanonicalIgnored | null,
): CanonicalStatement {
  const isEmpty = href.trim() === '';
  const url = isEmpty ? null : resolveUrl(href, base);
  const ignored = reason ?? (isEmpty ? 'empty' : url === null ? 'invalid-url' : null);
  return { from, href, url, ignored };
}

/**
 * Determines the canonical URL of a page.
 *
 * @param url - the URL of the page.
 */
export function decideCanonical(url: string, statements: readonly CanonicalStatement[]): Canonical {
  const urls = new Set<string>();
  for (const each of statements) if (each.ignored === null && each.url !== null) urls.add(each.url);
  const [first, ...others] = urls;
  if (first === undefined) return { kind: 'absent', statements };
  if (others.length > 0) return { kind: 'conflict', urls: [...urls], statements };
  if (first === resolveUrl(url, url)) return { kind: 'self', statements };
  return { kind: 'other', url: first, statements };
}

/**
 * Which URL a page says it is to be known by: `<link rel="canonical">`, and the Link header (Google's page on consolidating
 * duplicate URLs; RFC 6596).
 *
 * @module
 */
import type { HtmlLink } from './html-facts.ts';
import { type HeaderLink, wordsOf } from './link-header.ts';
import { resolveUrl } from './url.ts';

/** Why a canonical says nothing. */
export type CanonicalIgnored =
  /** The element stands in the body, also where the head was ended by what does not belong into it. */
  | 'in-body'
  /** The element says it is about a language, a medium or a type: such a link is no canonical. */
  | 'hreflang'
  | 'lang'
  | 'media'
  | 'type'
  /** The header says it is about something else than the page (RFC 8288 section 3.2). */
  | 'anchor'
  | 'empty'
  /** What it names is no http or https URL. */
  | 'invalid-url';

/** A place that names a canonical. */
export interface CanonicalStatement {
  readonly from: 'html' | 'header';
  readonly href: string;
  /** As {@link resolveUrl} has it; `null` if it is ignored for being no URL. */
  readonly url: string | null;
  readonly ignored: CanonicalIgnored | null;
}

/** What the statements come to. */
export type Canonical =
  | { readonly kind: 'absent'; readonly statements: readonly CanonicalStatement[] }
  /** The page itself. */
  | { readonly kind: 'self'; readonly statements: readonly CanonicalStatement[] }
  | { readonly kind: 'other'; readonly url: string; readonly statements: readonly CanonicalStatement[] }
  /** Several that disagree. Google then ignores them all ("5 common mistakes with rel=canonical", 2013). */
  | {
      readonly kind: 'conflict';
      readonly urls: readonly string[];
      readonly statements: readonly CanonicalStatement[];
    };

const NARROWING = ['hreflang', 'lang', 'media', 'type'] as const;

/** The canonicals among the link elements of a page. */
export function canonicalsInHtml(links: readonly HtmlLink[], base: string): CanonicalStatement[] {
  return links
    .filter(({ rel }) => wordsOf(rel).includes('canonical'))
    .map((link) => {
      const narrowed = NARROWING.find((attribute) => link[attribute] !== null);
      return state('html', link.href, base, link.inHead ? (narrowed ?? null) : 'in-body');
    });
}

/** The canonicals among the links of headers. */
export function canonicalsInHeader(links: readonly HeaderLink[], url: string): CanonicalStatement[] {
  const page = resolveUrl(url, url);
  return links
    .filter(({ rel }) => rel.includes('canonical'))
    .map(({ target, anchor }) => {
      const isAboutPage = anchor === null || resolveUrl(anchor, url) === page;
      return state('header', target, url, isAboutPage ? null : 'anchor');
    });
}

function state(
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

/** What the statements come to for the page at `url`. */
export function decideCanonical(url: string, statements: readonly CanonicalStatement[]): Canonical {
  const urls = new Set<string>();
  for (const each of statements) if (each.ignored === null && each.url !== null) urls.add(each.url);
  const [first, ...others] = urls;
  if (first === undefined) return { kind: 'absent', statements };
  if (others.length > 0) return { kind: 'conflict', urls: [...urls], statements };
  if (first === resolveUrl(url, url)) return { kind: 'self', statements };
  return { kind: 'other', url: first, statements };
}

// The canonical URL of a page: `<link rel="canonical">` and the Link header (RFC 6596; Google, "Consolidate
// duplicate URLs").
import type { HtmlLink } from './html-facts.ts';
import type { HeaderLink } from './link-header.ts';
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

/** Maximum number of different canonical statements of a page that are kept: of those that count, and of those that are ignored. */
const MAX_CANONICALS = 100;

/**
 * Collects the different canonical statements of a page. Those that count have a limit of their own, so that the limits never change the
 * kind of the canonical: a page with a hundred different URLs has a conflict.
 */
export class CanonicalStatements {
  readonly all: CanonicalStatement[] = [];
  /** Whether statements were omitted. */
  isTruncated = false;
  readonly #seen: Set<string> = new Set();
  #counting = 0;
  readonly #url: string;
  readonly #page: string | null;

  constructor(url: string) {
    this.#url = url;
    this.#page = resolveUrl(url, url);
  }

  /**
   * Adds a link element, if it has the relation type `canonical`.
   *
   * @param rel - its relation types.
   * @param base - the URL that resolves relative targets.
   */
  addElement(link: HtmlLink, rel: readonly string[], base: string): void {
    if (!rel.includes('canonical')) return;
    const restriction = RESTRICTIONS.find((attribute) => link[attribute] !== null);
    this.#add('html', link.href, base, link.inHead ? (restriction ?? null) : 'in-body');
  }

  /** Adds a link of a Link header, if it has the relation type `canonical`. */
  addHeaderLink({ target, anchor, rel }: HeaderLink): void {
    if (!rel.includes('canonical')) return;
    const isAboutPage = anchor === null || resolveUrl(anchor, this.#url) === this.#page;
    this.#add('header', target, this.#url, isAboutPage ? null : 'anchor');
  }

  #add(from: CanonicalStatement['from'], href: string, base: string, reason: CanonicalIgnored | null): void {
    if (reason === null && this.#counting >= MAX_CANONICALS) {
      this.isTruncated = true;
      return;
    }
    const statement = createStatement(from, href, base, reason);
    const { url, ignored } = statement;
    const key = `${from} ${ignored ?? ''} ${url ?? href}`;
    if (this.#seen.has(key)) return;
    const count = ignored === null ? this.#counting : this.all.length - this.#counting;
    if (count >= MAX_CANONICALS) {
      this.isTruncated = true;
      return;
    }
    if (ignored === null) this.#counting++;
    this.#seen.add(key);
    this.all.push(statement);
  }
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

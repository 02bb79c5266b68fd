/**
 * What an HTML parser hands over: a plain record, as the document has it, nothing resolved or judged. So core needs no
 * parser, and any parser will do.
 *
 * @module
 */
import type { Statement } from './rules.ts';

/** A link element that has `rel` and `href`. Attributes that it does not have are `null`. */
export interface HtmlLink {
  readonly rel: string;
  readonly href: string;
  readonly hreflang: string | null;
  readonly lang: string | null;
  readonly media: string | null;
  readonly type: string | null;
  /** Whether it is in the head, as a browser builds the tree. */
  readonly inHead: boolean;
}

/** An element through which other pages are found. */
export interface HtmlReference {
  readonly element: 'a' | 'area' | 'iframe' | 'frame';
  readonly href: string;
  /** As it was written; empty if there is none. */
  readonly rel: string;
}

/** What an HTML document says. Elements in templates and in SVG or MathML are none of its own. */
export interface HtmlFacts {
  /** Of the first title element, white space stripped and collapsed; `null` if there is none. */
  readonly title: string | null;
  /** `href` of the first base element that has one. */
  readonly base: string | null;
  readonly robots: readonly Statement[];
  /** The contents of `<meta http-equiv="refresh">`. */
  readonly refreshes: readonly string[];
  readonly links: readonly HtmlLink[];
  readonly references: readonly HtmlReference[];
  /** Whether there was more than is read. */
  readonly isCut: boolean;
}

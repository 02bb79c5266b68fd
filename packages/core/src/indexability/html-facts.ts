// The input from an HTML parser: facts as written in the document, not resolved or evaluated. The package has
// no parser of its own and works with any.
import { freezeDeep } from '../bytes/freeze.ts';
import type { RobotsStatement } from './rules.ts';

/** A link element with `rel` and `href`. Missing attributes are `null`. */
export interface HtmlLink {
  readonly rel: string;
  readonly href: string;
  readonly hreflang: string | null;
  readonly lang: string | null;
  readonly media: string | null;
  readonly type: string | null;
  /** Whether the element is in the head of the tree that a browser builds. */
  readonly inHead: boolean;
}

/** An element that refers to another page. */
export interface HtmlReference {
  readonly element: 'a' | 'area' | 'iframe' | 'frame';
  readonly href: string;
  /** As written; empty if the attribute is missing. */
  readonly rel: string;
  /**
   * The text of an `a` element, or the `alt` of an `area`, with white space stripped and collapsed. Missing and `null`: not known, or the
   * element has none.
   */
  readonly text?: string | null;
}

/** The kinds of resources that a browser loads to render a page. */
export const RESOURCE_KINDS: readonly ['script', 'style', 'image'] = /* @__PURE__ */ freezeDeep([
  'script',
  'style',
  'image',
]);
/** The kind of a resource. */
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** An element that loads a resource. */
export interface HtmlResource {
  readonly kind: ResourceKind;
  readonly href: string;
}

/** Facts about an HTML document. Elements in templates, SVG and MathML are not included. */
export interface HtmlFacts {
  /** The text of the first title element, with white space stripped and collapsed; `null` if it does not exist. */
  readonly title: string | null;
  /** The `href` of the first base element that has one; `null` if it does not exist. */
  readonly base: string | null;
  readonly robots: readonly RobotsStatement[];
  /** The contents of `<meta http-equiv="refresh">`. */
  readonly refreshes: readonly string[];
  readonly links: readonly HtmlLink[];
  readonly references: readonly HtmlReference[];
  /** Scripts, stylesheets and images. @defaultValue none */
  readonly resources?: readonly HtmlResource[];
  /** The meta elements that can state preferences about the use of the page (`isPreferenceMeta`). @defaultValue none */
  readonly metas?: readonly { readonly name: string; readonly content: string }[];
  /** The texts of script elements of the type `application/rsl+xml` in the head: licences of the page. @defaultValue none */
  readonly rsl?: readonly string[];
  /** Whether `metas` or `rsl` lack some of the document. @defaultValue `false` */
  readonly lacksStatements?: boolean;
  /** Whether the parser omitted a part of the document. */
  readonly isTruncated: boolean;
}

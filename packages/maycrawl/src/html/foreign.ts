// SVG and MathML inside HTML: which elements belong to them (HTML Standard, section 13.2.6.5). The page does not
// have the links and titles of a drawing.

/** An element that is open inside a drawing or formula, this included. */
interface OpenElement {
  readonly name: string;
  /** `html` where HTML stands inside of a drawing again. */
  readonly namespace: 'svg' | 'math' | 'html';
  /** Whether what is inside it is HTML. */
  readonly content: 'foreign' | 'html' | 'text' | 'svg';
}

/** Tags that end a drawing: they are no elements of SVG or MathML. */
const BREAKOUT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
    'ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);
const SVG_WITH_HTML: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title']);
const MATH_WITH_TEXT: ReadonlySet<string> = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);
/** Tags of HTML elements that are never open; `image` is read as `img`. */
export const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Drawings nest a few dozen deep. Without a bound an end tag could cost as much as the document. */
const MAX_DEPTH = 128;

/** Attributes of a tag. */
export type Attributes = ReadonlyMap<string, string>;

/** The elements that are open from the outermost `svg` or `math` on. */
export class ForeignContent {
  readonly #open: OpenElement[] = [];

  /** How many elements are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** Whether the innermost open element is one of SVG or MathML. */
  get isInnermost(): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && top.namespace !== 'html';
  }

  /** Whether a start tag that comes now is read by the rules of HTML, as far as its name does not matter. */
  get acceptsHtml(): boolean {
    const top = this.#open.at(-1);
    return top === undefined || top.namespace === 'html' || top.content === 'html' || top.content === 'text';
  }

  /** Closes all but the outermost `depth` elements. */
  closeTo(depth: number): void {
    // Most end tags close nothing here, and setting the length of an array takes long.
    if (this.#open.length > depth) this.#open.length = depth;
  }

  /**
   * Takes a start tag.
   *
   * @returns whether it is a tag of HTML. One of `svg` or `math` is, and opens a drawing.
   */
  takeStartTag(name: string, isSelfClosing: boolean, attributes: Attributes): boolean {
    if (this.#open.length === 0 && name !== 'svg' && name !== 'math') return true;
    if (this.#isHtml(name)) {
      if (name === 'svg' || name === 'math') this.#push(name, name, isSelfClosing, attributes);
      else if (!VOID.has(name)) this.#push(name, 'html', false, attributes);
      return true;
    }
    if (isBreakout(name, attributes)) {
      this.#breakOut();
      return this.takeStartTag(name, isSelfClosing, attributes);
    }
    const namespace = this.#open.at(-1)?.namespace === 'math' ? 'math' : 'svg';
    this.#push(name, namespace, isSelfClosing, attributes);
    return false;
  }

  /**
   * Takes an end tag.
   *
   * @param floor - as many of the outermost elements cannot be closed by it.
   * @returns whether it may close something outside of the drawing.
   */
  takeEndTag(name: string, floor: number): boolean {
    if (this.isInnermost && (name === 'p' || name === 'br')) this.#breakOut();
    if (this.closeInDrawing(name, floor)) return false;
    let at = this.#open.length - 1;
    while (at >= floor && this.#open[at]?.namespace !== 'html') at--;
    for (; at >= floor; at--) {
      const open = this.#open[at] as OpenElement;
      // HTML in a drawing does not reach out of the element that contains it.
      if (open.namespace !== 'html') return false;
      if (open.name === name) {
        this.closeTo(at);
        return false;
      }
    }
    return true;
  }

  /** Closes the innermost element of that name, if no HTML is open in it. */
  closeInDrawing(name: string, floor: number): boolean {
    for (let at = this.#open.length - 1; at >= floor; at--) {
      const open = this.#open[at] as OpenElement;
      if (open.namespace === 'html') return false;
      if (open.name === name) {
        this.closeTo(at);
        return true;
      }
    }
    return false;
  }

  #isHtml(name: string): boolean {
    const top = this.#open.at(-1);
    if (top === undefined || top.namespace === 'html' || top.content === 'html') return true;
    if (top.content === 'text') return name !== 'mglyph' && name !== 'malignmark';
    return top.content === 'svg' && name === 'svg';
  }

  #breakOut(): void {
    while (this.isInnermost && !this.acceptsHtml) this.#open.pop();
  }

  #push(
    name: string,
    namespace: OpenElement['namespace'],
    isSelfClosing: boolean,
    attributes: Attributes,
  ): void {
    if (isSelfClosing || this.#open.length >= MAX_DEPTH) return;
    this.#open.push({ name, namespace, content: getContent(name, namespace, attributes) });
  }
}

function isBreakout(name: string, attributes: Attributes): boolean {
  if (name === 'font') return ['color', 'face', 'size'].some((attribute) => attributes.has(attribute));
  return BREAKOUT.has(name);
}

function getContent(
  name: string,
  namespace: OpenElement['namespace'],
  attributes: Attributes,
): OpenElement['content'] {
  if (namespace === 'svg') return SVG_WITH_HTML.has(name) ? 'html' : 'foreign';
  if (namespace === 'html') return 'html';
  if (MATH_WITH_TEXT.has(name)) return 'text';
  if (name !== 'annotation-xml') return 'foreign';
  const encoding = attributes.get('encoding')?.toLowerCase();
  return encoding === 'text/html' || encoding === 'application/xhtml+xml' ? 'html' : 'svg';
}

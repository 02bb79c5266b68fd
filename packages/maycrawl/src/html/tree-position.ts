// Where in the tree that a browser would build an element comes to stand: as much of the tree construction of the HTML
// Standard (section 13.2.6) as is needed to separate the head from the body, and to find what is no part of the document.
import { type Attributes, ForeignContent, VOID } from './foreign.ts';

/**
 * Where the element of a start tag stands. `inert`: in a template. `none`: the tag makes no element of HTML, because it is one
 * of SVG or MathML or comes where it is ignored.
 */
export type Place = 'head' | 'body' | 'inert' | 'none';

/** What has been seen, in the order in which it comes. */
const BEFORE_HEAD = 0;
const IN_HEAD = 1;
const AFTER_HEAD = 2;
const IN_BODY = 3;
const IN_FRAMESET = 4;

/** What a head can contain; anything else ends it. Here `noscript` is text: crawlers that render run scripts. */
const OF_HEAD: ReadonlySet<string> = new Set(
  'base basefont bgsound link meta noframes noscript script style template title'.split(' '),
);
/** What ends the head where it is not ended explicitly. */
const ENDING_HEAD: ReadonlySet<string> = new Set(['body', 'html', 'br']);
/** What of a frameset is an element. */
const OF_FRAMESET: ReadonlySet<string> = new Set(['frame', 'frameset', 'noframes']);
/** Their end tags leave a drawing open that was not closed in them. */
const LEAVING_OPEN: ReadonlySet<string> = new Set(['body', 'form', 'head', 'html']);

/** Follows the tags of a document. */
export class TreePosition {
  readonly #foreign: ForeignContent = new ForeignContent();
  /** For each template that is open, how much of the foreign content is outside of it. */
  readonly #templates: number[] = [];
  /** How many elements of a name have been opened and not closed, outside of templates and drawings. */
  readonly #open: Map<string, number> = new Map();
  #stage: number = BEFORE_HEAD;

  /** Whether `<![CDATA[` begins a CDATA section; in HTML it is a comment to the next `>`. */
  get hasCdata(): boolean {
    return this.#foreign.isInnermost;
  }

  /** Whether a tag that comes now can switch to raw text: in drawings and framesets it is another element, or none. */
  get canContainText(): boolean {
    return this.#foreign.acceptsHtml && this.#stage !== IN_FRAMESET;
  }

  /** Whether text can still end the head. */
  get isTextDecisive(): boolean {
    return this.#stage < IN_BODY && this.#templates.length === 0;
  }

  /** Whether what comes now is the content of a template. */
  get isInTemplate(): boolean {
    return this.#templates.length > 0;
  }

  /** Whether an element of a name is open, as far as it was opened outside of templates and drawings. */
  isOpen(name: string): boolean {
    return (this.#open.get(name) ?? 0) > 0;
  }

  /** Takes text that is not only white space and does not stand in a title, script or style. */
  takeText(): void {
    if (this.isTextDecisive) this.#stage = IN_BODY;
  }

  /** Takes a start tag, and says where its element stands. */
  takeStartTag(name: string, isSelfClosing: boolean, attributes: Attributes): Place {
    if (this.#stage === IN_FRAMESET) return OF_FRAMESET.has(name) ? 'body' : 'none';
    const depth = this.#foreign.depth;
    if (!this.#foreign.takeStartTag(name, isSelfClosing, attributes)) return 'none';
    const isInTemplate = this.#templates.length > 0;
    const place = isInTemplate ? 'inert' : this.#placeOf(name);
    if (name === 'template') this.#templates.push(depth);
    else if (!isInTemplate && this.#foreign.depth === 0 && !VOID.has(name))
      this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    return place;
  }

  #placeOf(name: string): Place {
    if (this.#stage === BEFORE_HEAD) {
      if (name === 'html') return 'none';
      this.#stage = IN_HEAD;
      if (name === 'head') return 'none';
    }
    if (this.#stage === IN_HEAD) {
      if (OF_HEAD.has(name)) return 'head';
      if (name === 'html' || name === 'head') return 'none';
      this.#stage = AFTER_HEAD;
    }
    if (this.#stage === AFTER_HEAD) {
      // The standard puts these back into the head, though it is closed.
      if (OF_HEAD.has(name) && name !== 'noscript') return 'head';
      if (name === 'html' || name === 'head') return 'none';
      this.#stage = name === 'frameset' ? IN_FRAMESET : IN_BODY;
    }
    return name === 'frame' ? 'none' : 'body';
  }

  takeEndTag(name: string): void {
    const floor = this.#templates.at(-1);
    if (name === 'template') {
      if (this.#foreign.closeInDrawing(name, floor ?? 0) || floor === undefined) return;
      this.#foreign.closeTo(floor);
      this.#templates.pop();
      return;
    }
    const isOutside = this.#foreign.depth === 0 || this.#foreign.takeEndTag(name, floor ?? 0);
    if (!isOutside || floor !== undefined) return;
    const open = this.#open.get(name) ?? 0;
    if (open > 0) {
      this.#open.set(name, open - 1);
      if (!LEAVING_OPEN.has(name)) this.#foreign.closeTo(0);
    }
    if (this.#stage >= IN_BODY) return;
    if (ENDING_HEAD.has(name)) this.#stage = IN_BODY;
    else if (name === 'head' && this.#stage < AFTER_HEAD) this.#stage = AFTER_HEAD;
  }
}

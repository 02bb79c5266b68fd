// Documents of Really Simple Licensing (RSL 1.0, https://rslstandard.org/rsl): which uses a licence permits and prohibits.
//
// A document that is not well-formed is read as far as possible: what was read counts, and what was not is a problem.
import { requireString } from '../../bytes/check-options.ts';
import { parseXmlAttributes } from '../../xml/xml-attributes.ts';
import type { XmlHandler, XmlProblem } from '../../xml/xml-handler.ts';
import { XmlError, XmlScanner } from '../../xml/xml-scanner.ts';
import { findLabel } from '../labels.ts';
import type { SourceProblem } from '../source-problem.ts';

/** The uses that a licence names. */
export interface RslLicense {
  /** The known usages of its `permits` elements; `null` without such elements. */
  readonly permits: readonly string[] | null;
  readonly prohibits: readonly string[];
  /** Line of the element, from 1. */
  readonly line: number;
}

/** A content element: a pattern of URLs, and its licences. */
export interface RslContent {
  /** As written. */
  readonly url: string;
  readonly licenses: readonly RslLicense[];
}

/** A part of a document that was not read, or not as its author may have meant it. */
export interface RslProblem {
  /** Line in the document, from 1. */
  readonly line: number;
  /** Why, as a clause. */
  readonly reason: string;
}

/** A document. */
export interface RslFile {
  readonly contents: readonly RslContent[];
  /** The first problems, ten at most. A part of the document that was not read can contain a refusal. */
  readonly problems: readonly RslProblem[];
}

/** Content elements that are read, and licences of each. */
const MAX_CONTENTS = 5_000;
const MAX_LICENSES = 100;
const MAX_USAGES = 1_000;
const MAX_PROBLEMS = 10;

/**
 * Parses a document.
 *
 * @returns `null` if it is not an RSL document: it has no element `rsl`.
 * @throws {TypeError} if `text` is not a string.
 */
export function parseRsl(text: string): RslFile | null {
  requireString('the text of an RSL document', text);
  const reader = new RslReader(text);
  // The text is in memory, so a long tag takes no more.
  const scanner = new XmlScanner(reader, { maxTagChars: text.length });
  try {
    scanner.write(text);
    scanner.end();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    reader.addProblem(`${error.message}: the document is read up to here`);
  }
  reader.end();
  return reader.isRsl ? { contents: reader.contents, problems: reader.problems } : null;
}

/** Lists the problems of a document as those of a source. @param file - `null` if the source is no RSL document. */
export function listRslProblems(
  file: RslFile | null,
  source: 'rsl' | 'html',
  name: string | null,
): SourceProblem[] {
  const problems = file?.problems ?? [
    { line: null, reason: 'it has no element "rsl", so it declares nothing' },
  ];
  return problems.map(({ line, reason }) => ({ source, name, line, reason }));
}

const USAGE_ELEMENTS = ['permits', 'prohibits'] as const;
type UsageElement = (typeof USAGE_ELEMENTS)[number];

interface OpenContent {
  readonly url: string;
  readonly licenses: RslLicense[];
}

/** Reads a document. Other elements are skipped, but may contain those that are read. */
class RslReader implements XmlHandler {
  isRsl = false;
  readonly contents: OpenContent[] = [];
  readonly problems: RslProblem[] = [];
  /** The content elements that are open; `null` for one beyond the limit. */
  readonly #open: (OpenContent | null)[] = [];
  #license: RslLicense | null = null;
  #usage: UsageElement | null = null;
  #text = '';
  readonly #document: string;
  /** The line at an offset. Offsets never decrease. */
  #line = 1;
  #counted = 0;

  constructor(document: string) {
    this.#document = document;
  }

  addProblem(reason: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ line: this.#line, reason });
  }

  onProblem(problem: XmlProblem, at: number): void {
    this.#countLines(at);
    this.addProblem(describeProblem(problem));
  }

  onText(text: string): void {
    if (this.#usage !== null) this.#text += text;
  }

  onOpen(prefixed: string, attributes: string, at: number): void {
    const name = getLocalName(prefixed);
    if (!ELEMENTS.has(name)) return;
    this.#countLines(at);
    const get = (attribute: string): string | undefined =>
      parseXmlAttributes(attributes, (problem) => this.addProblem(describeProblem(problem))).get(attribute);
    if (name === 'rsl') this.isRsl = true;
    else if (name === 'content') this.#openContent(get('url') ?? '');
    else if (name === 'license') this.#openLicense();
    else if (isUsageElement(name)) this.#openUsage(name, get('type'));
  }

  onClose(prefixed: string): void {
    const name = getLocalName(prefixed);
    if (name === this.#usage) this.#closeUsage();
    else if (name === 'license') this.#closeLicense();
    else if (name === 'content') this.#open.pop();
  }

  /** Ends the document. A permission without its end may be a part of a text, and does not count. */
  end(): void {
    if (this.#usage === 'permits') this.#usage = null;
    this.#closeLicense();
  }

  #openContent(url: string): void {
    // What is open belongs to the content before, which has no end tag.
    this.#closeLicense();
    const content = this.contents.length < MAX_CONTENTS ? { url, licenses: [] } : null;
    this.#open.push(content);
    if (content === null)
      this.addProblem(`more than ${MAX_CONTENTS} content elements: the others are not read`);
    else this.contents.push(content);
  }

  #openLicense(): void {
    // The one before has no end tag.
    this.#closeLicense();
    if (this.#open.length === 0) this.addProblem('a license outside of a content element');
    else this.#license = { permits: null, prohibits: [], line: this.#line };
  }

  #closeLicense(): void {
    if (this.#usage !== null) this.#closeUsage();
    const license = this.#license;
    this.#license = null;
    const content = this.#open.at(-1);
    if (license === null || content === undefined || content === null) return;
    if (content.licenses.length < MAX_LICENSES) content.licenses.push(license);
    else
      this.addProblem(`more than ${MAX_LICENSES} licenses of one content element: the others are not read`);
  }

  #openUsage(element: UsageElement, type: string | undefined): void {
    // The one before has no end tag.
    if (this.#usage !== null) this.#closeUsage();
    if (type === 'usage') {
      this.#usage = element;
      this.#text = '';
      if (this.#license === null) this.addProblem(`${element} outside of a license in a content element`);
    } else if (type === undefined) this.addProblem(`${element} without a type`);
  }

  #closeUsage(): void {
    const element = this.#usage as UsageElement;
    this.#usage = null;
    const license = this.#license;
    if (license === null) return;
    const usages = new Set(element === 'permits' ? license.permits : license.prohibits);
    // Version 0.9 separates usages with commas.
    const words = this.#text.toLowerCase().split(/[\s,]+/, MAX_USAGES + 1);
    if (words.length > MAX_USAGES) this.addProblem(`more than ${MAX_USAGES} usages: the others are not read`);
    for (const usage of words.slice(0, MAX_USAGES))
      if (findLabel('rsl', usage) !== undefined) usages.add(usage);
      // A permission that is not understood permits nothing.
      else if (usage !== '' && element === 'prohibits')
        this.addProblem(`${element}: "${usage.slice(0, MAX_QUOTED)}" is not a usage`);
    this.#license = { ...license, [element]: [...usages] };
  }

  #countLines(at: number): void {
    for (; this.#counted < at; this.#counted++) if (this.#document[this.#counted] === '\n') this.#line++;
  }
}

const MAX_QUOTED = 40;

function describeProblem({ code, text }: XmlProblem): string {
  const quoted = text.slice(0, MAX_QUOTED);
  switch (code) {
    case 'missing-end-tag':
      return `the element ${quoted} has no end tag`;
    case 'unexpected-end-tag':
      return `</${quoted}> ends no element`;
    case 'unresolved-reference':
      return `the reference ${quoted} is not resolved`;
    case 'invalid-markup':
      return `"${quoted}" is not valid in XML`;
    case 'unexpected-end':
      return `the document ends in "${quoted}"`;
  }
}

const ELEMENTS: ReadonlySet<string> = new Set(['rsl', 'content', 'license', ...USAGE_ELEMENTS]);

function isUsageElement(name: string): name is UsageElement {
  return (USAGE_ELEMENTS as readonly string[]).includes(name);
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

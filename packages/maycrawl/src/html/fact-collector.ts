// Collects from the tags of a document what they say to crawlers.
import {
  type HtmlFacts,
  type HtmlLink,
  type HtmlReference,
  type HtmlResource,
  type ResourceKind,
  RobotsStatements,
  readRobotsMeta,
} from '@maycrawl/core/indexability';
import { isPreferenceMeta } from '@maycrawl/core/preferences';
import type { Attributes } from './foreign.ts';
import { toLinkText } from './link-text.ts';
import { parseSrcset } from './srcset.ts';

/** Maximum number of resources of a document. */
const MAX_RESOURCES = 2_000;

/** Maximum number of different meta elements that can state preferences. */
const MAX_METAS = 1_000;

interface Meta {
  readonly name: string;
  readonly content: string;
}

/** Maximum number of RSL documents of a page, and of their characters together. */
const [MAX_RSL, MAX_RSL_CHARS] = [20, 100_000] as const;

/** A reference whose text is added when the element ends. */
export interface OpenReference extends HtmlReference {
  text: string | null;
}

/** Names of tags and attributes are compared without the case of ASCII letters, and no others. */
export function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a) return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  return name;
}

/** The facts of one document. */
export class FactCollector {
  readonly #maxItems: number;
  #base: string | null = null;
  readonly #robots: RobotsStatements = new RobotsStatements();
  readonly #refreshes: string[] = [];
  readonly #links: HtmlLink[] = [];
  readonly #references: HtmlReference[] = [];
  readonly #resources: HtmlResource[] = [];
  /** By name and content. A later one can replace an earlier one, so a repeated one moves to the end. */
  readonly #metas: Map<string, Meta> = new Map();
  #lacksMetas = false;
  readonly #rsl: string[] = [];
  #rslChars = 0;
  #lacksRsl = false;
  #isCut = false;

  /** @param maxItems - how many links are kept. Statements have limits of their own. */
  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** All that was kept. */
  conclude(title: string | null): HtmlFacts {
    return {
      title,
      base: this.#base,
      robots: this.#robots.all,
      refreshes: this.#refreshes,
      links: this.#links,
      references: this.#references,
      resources: this.#resources,
      metas: [...this.#metas.values()],
      rsl: this.#rsl,
      ...((this.#lacksRsl || this.#lacksMetas) && { lacksStatements: true }),
      isTruncated: this.#isCut || this.#lacksRsl || this.#lacksMetas || this.#robots.isTruncated,
    };
  }

  /**
   * Keeps what a start tag says.
   *
   * @param inHead - whether its element stands in the head; else it stands in the body.
   * @returns the link whose text follows; `null` if the element is not a link.
   */
  keep(tag: string, attributes: Attributes, inHead: boolean): OpenReference | null {
    switch (tag) {
      case 'base':
        this.#base ??= attributes.get('href') ?? null;
        break;
      case 'meta':
        this.#keepMeta(attributes.get('name'), attributes.get('http-equiv'), attributes.get('content'));
        break;
      case 'link':
        this.#keepLink(attributes, inHead);
        break;
      case 'a':
        return this.#keepReference(tag, attributes.get('href'), attributes.get('rel'), null);
      case 'area': {
        const alt = attributes.get('alt');
        const text = alt === undefined ? null : toLinkText(alt);
        this.#keepReference(tag, attributes.get('href'), attributes.get('rel'), text);
        break;
      }
      case 'iframe':
      case 'frame':
        this.#keepReference(tag, attributes.get('src'), attributes.get('rel'), null);
        break;
      case 'script':
        if (isRun(attributes)) this.#keepResource('script', attributes.get('src'));
        break;
      case 'img':
      case 'image':
        this.#keepResource('image', attributes.get('src'));
        this.#keepImages(attributes.get('srcset'));
        break;
      case 'source':
        this.#keepImages(attributes.get('srcset'));
        break;
      case 'video':
        this.#keepResource('image', attributes.get('poster'));
        break;
      case 'input':
        if (lowerCase(attributes.get('type') ?? '') === 'image')
          this.#keepResource('image', attributes.get('src'));
        break;
    }
    return null;
  }

  /** Keeps a licence in the page. */
  keepRsl(text: string): void {
    this.#rslChars += text.length;
    if (this.#rsl.length < MAX_RSL && this.#rslChars <= MAX_RSL_CHARS) this.#rsl.push(text);
    else this.#lacksRsl = true;
  }

  #keepMeta(name: string | undefined, pragma: string | undefined, content: string | undefined): void {
    if (content === undefined) return;
    if (pragma !== undefined && lowerCase(pragma) === 'refresh' && this.#isBelowLimit())
      this.#refreshes.push(content);
    const statement = name === undefined ? null : readRobotsMeta(name, content);
    if (statement !== null) this.#robots.add(statement);
    if (name !== undefined && isPreferenceMeta(name, content)) this.#addMeta({ name, content });
  }

  #addMeta(meta: Meta): void {
    const key = `${meta.name}\n${meta.content}`;
    if (this.#metas.delete(key) || this.#metas.size < MAX_METAS) this.#metas.set(key, meta);
    else this.#lacksMetas = true;
  }

  #keepLink(attributes: Attributes, inHead: boolean): void {
    const [rel, href] = [attributes.get('rel'), attributes.get('href')];
    if (rel === undefined) return;
    const kind = getLinkedKind(rel, attributes.get('as'));
    if (kind !== null) this.#keepResource(kind, href);
    if (kind === 'image') this.#keepImages(attributes.get('imagesrcset'));
    if (href === undefined) return;
    if (!this.#isBelowLimit()) return;
    const get = (name: string): string | null => attributes.get(name) ?? null;
    this.#links.push({
      rel,
      href,
      hreflang: get('hreflang'),
      lang: get('lang'),
      media: get('media'),
      type: get('type'),
      inHead,
    });
  }

  #keepReference(
    element: HtmlReference['element'],
    href: string | undefined,
    rel: string | undefined,
    text: string | null,
  ): OpenReference | null {
    if (href === undefined || !this.#isBelowLimit()) return null;
    const reference = { element, href, rel: rel ?? '', text };
    this.#references.push(reference);
    return reference;
  }

  #keepImages(srcset: string | undefined): void {
    if (srcset !== undefined) for (const url of parseSrcset(srcset)) this.#keepResource('image', url);
  }

  #keepResource(kind: ResourceKind, href: string | undefined): void {
    if (href === undefined || href === '') return;
    if (this.#resources.length < MAX_RESOURCES) this.#resources.push({ kind, href });
    else this.#isCut = true;
  }

  #isBelowLimit(): boolean {
    if (this.#refreshes.length + this.#links.length + this.#references.length < this.#maxItems) return true;
    this.#isCut = true;
    return false;
  }
}

/** Whether a script element contains a licence of the page (RSL 1.0, section 4.6). */
export function isRslScript(attributes: Attributes): boolean {
  const type = attributes.get('type');
  return type !== undefined && RSL_TYPE.test(type);
}

const RSL_TYPE = /^\s*application\/rsl\+xml\s*$/i;

/** Types of scripts (MIME Sniffing Standard, "JavaScript MIME type"). */
const SCRIPT_TYPE =
  /^(?:module|(?:application|text)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/i;

/** Whether browsers load a script: not data, not what waits for consent as `text/plain`, and not what is for old browsers alone. */
function isRun(attributes: Attributes): boolean {
  const type = attributes.get('type')?.trim() ?? '';
  if (type === '' || SCRIPT_TYPE.test(type))
    return !attributes.has('nomodule') || lowerCase(type) === 'module';
  return false;
}

/** The kind of the resource that a link element loads; `null` if it loads none that is used without a choice of the user. */
function getLinkedKind(rel: string, as: string | undefined): ResourceKind | null {
  const types = lowerCase(rel).split(/[\t\n\f\r ]+/);
  if (types.includes('stylesheet')) return types.includes('alternate') ? null : 'style';
  if (types.includes('modulepreload')) return 'script';
  const kind = as === undefined || !types.includes('preload') ? '' : lowerCase(as);
  return kind === 'script' || kind === 'style' || kind === 'image' ? kind : null;
}

/**
 * Naive implementation of the same facts: parse5 builds the tree of a browser, and one traversal reads it.
 */
import { type HtmlFacts, type HtmlResource, readRobotsMeta } from '@maycrawl/core/indexability';
import { isPreferenceMeta } from '@maycrawl/core/preferences';
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

const HTML = 'http://www.w3.org/1999/xhtml';

/** Reads the facts of a document without limits. */
export function readTree(html: string): HtmlFacts {
  const elements = findElements(html);
  const findByName = (...names: readonly string[]): Element[] =>
    elements.map(({ element }) => element).filter(({ tagName }) => names.includes(tagName));
  const title = findByName('title')[0];
  return {
    title:
      title === undefined
        ? null
        : getText(title)
            .replace(/[\t\n\f\r ]+/g, ' ')
            .replace(/^ | $/g, ''),
    base: findByName('base').flatMap((element) => getAttribute(element, 'href') ?? [])[0] ?? null,
    // Of equal statements the first counts, and of equal meta elements about use the last.
    robots: getDistinct(
      findByName('meta').flatMap((element) => {
        const [name, content] = [getAttribute(element, 'name'), getAttribute(element, 'content')];
        return name === null || content === null ? [] : (readRobotsMeta(name, content) ?? []);
      }),
    ),
    refreshes: findByName('meta')
      .filter((element) => /^refresh$/i.test(getAttribute(element, 'http-equiv') ?? ''))
      .flatMap((element) => getAttribute(element, 'content') ?? []),
    links: elements.flatMap(({ element, inHead }) => {
      const get = (name: string): string | null => getAttribute(element, name);
      const [rel, href] = [get('rel'), get('href')];
      if (element.tagName !== 'link' || rel === null || href === null) return [];
      const [hreflang, lang, media, type] = [get('hreflang'), get('lang'), get('media'), get('type')];
      return [{ rel, href, hreflang, lang, media, type, inHead }];
    }),
    references: findByName('a', 'area', 'iframe', 'frame').flatMap((element) => {
      const name = element.tagName as 'a' | 'area' | 'iframe' | 'frame';
      const href = getAttribute(element, name.endsWith('frame') ? 'src' : 'href');
      const text = name === 'a' ? getLinkText(element) : name === 'area' ? getAlt(element) : null;
      return href === null ? [] : [{ element: name, href, rel: getAttribute(element, 'rel') ?? '', text }];
    }),
    resources: elements.flatMap(({ element }) => findResources(element)),
    metas: getDistinct(
      findByName('meta')
        .flatMap((element) => {
          const [name, content] = [getAttribute(element, 'name'), getAttribute(element, 'content')];
          return name !== null && content !== null && isPreferenceMeta(name, content)
            ? [{ name, content }]
            : [];
        })
        .reverse(),
    ).reverse(),
    rsl: elements.flatMap(({ element, inHead }) => {
      const isRsl = /^\s*application\/rsl\+xml\s*$/i.test(getAttribute(element, 'type') ?? '');
      return element.tagName === 'script' && inHead && isRsl ? [getText(element)] : [];
    }),
    isTruncated: false,
  };
}

/**
 * Returns the HTML elements of the document in the order of their tags. The tree can contain an element twice (an unclosed `<a>`
 * is opened again in the next paragraph), and can move an element before preceding ones (foster parenting in tables).
 */
function findElements(html: string): { element: Element; inHead: boolean }[] {
  const found = new Map<number, { element: Element; inHead: boolean }>();
  const walk = (node: Node, inHead: boolean): void => {
    if ('tagName' in node && node.namespaceURI === HTML) {
      const start = node.sourceCodeLocation?.startOffset;
      if (start !== undefined && !found.has(start)) found.set(start, { element: node, inHead });
    }
    const isHead = 'tagName' in node && node.tagName === 'head' && node.namespaceURI === HTML;
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, inHead || isHead);
  };
  walk(parse(html, { sourceCodeLocationInfo: true }), false);
  return [...found.keys()].sort((a, b) => a - b).flatMap((start) => found.get(start) ?? []);
}

function getDistinct<T>(items: readonly T[]): T[] {
  const texts = items.map((each) => JSON.stringify(each));
  return items.filter((_, index) => texts.indexOf(texts[index] as string) === index);
}

function getAttribute(element: Element, name: string): string | null {
  return element.attrs.find((each) => each.name === name)?.value ?? null;
}

function getText(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

/** Facts without the texts of links, which can differ in invalid markup. */
export function withoutTexts(facts: HtmlFacts): object {
  return { ...facts, references: facts.references.map(({ text: _, ...reference }) => reference) };
}

/** The content of these elements is not shown as text. */
const HIDDEN = 'script style noscript iframe noembed noframes xmp textarea title plaintext template'.split(
  ' ',
);

/** The text of a link: `textContent` with the `alt` of images. */
function getLinkText(element: Element): string {
  return normalize(getShownText(element));
}

function getShownText(node: Node): string {
  if ('value' in node) return node.nodeName === '#text' ? node.value : '';
  if (!('childNodes' in node)) return '';
  if ('tagName' in node) {
    const isHtml = node.namespaceURI === HTML;
    if (isHtml && node.tagName === 'img') return ` ${getAttribute(node, 'alt') ?? ''} `;
    if (HIDDEN.includes(node.tagName) && (isHtml || /^(script|style)$/.test(node.tagName))) return '';
  }
  return node.childNodes.map(getShownText).join('');
}

function getAlt(element: Element): string | null {
  const alt = getAttribute(element, 'alt');
  return alt === null ? null : normalize(alt);
}

function normalize(text: string): string {
  return [...text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '')]
    .reduce(
      (start, character) => (start.length + character.length > 200 ? start.padEnd(201) : start + character),
      '',
    )
    .replace(/ +$/, '');
}

function findResources(element: Element): HtmlResource[] {
  const get = (name: string): string => getAttribute(element, name) ?? '';
  const rel = get('rel')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/);
  const find = (): HtmlResource[] => {
    switch (element.tagName) {
      case 'script':
        return isRun(get('type'), getAttribute(element, 'nomodule'))
          ? [{ kind: 'script', href: get('src') }]
          : [];
      case 'img':
        return [get('src'), ...splitSrcset(get('srcset'))].map((href) => ({ kind: 'image', href }));
      case 'source':
        return splitSrcset(get('srcset')).map((href) => ({ kind: 'image', href }));
      case 'video':
        return [{ kind: 'image', href: get('poster') }];
      case 'input':
        return get('type').toLowerCase() === 'image' ? [{ kind: 'image', href: get('src') }] : [];
      case 'link': {
        if (getAttribute(element, 'rel') === null) return [];
        if (rel.includes('stylesheet'))
          return rel.includes('alternate') ? [] : [{ kind: 'style', href: get('href') }];
        if (rel.includes('modulepreload')) return [{ kind: 'script', href: get('href') }];
        const as = get('as').toLowerCase();
        const isKind = as === 'script' || as === 'style' || as === 'image';
        if (!rel.includes('preload') || !isKind) return [];
        const candidates = as === 'image' ? splitSrcset(get('imagesrcset')) : [];
        return [get('href'), ...candidates].map((href) => ({ kind: as, href }));
      }
    }
    return [];
  };
  return find().filter(({ href }) => href !== '');
}

/** Only for values without commas in URLs and descriptors. */
function splitSrcset(value: string): string[] {
  return value.split(',').flatMap((candidate) => candidate.trim().split(/\s+/)[0] || []);
}

const JAVASCRIPT = ['', 'module', 'text/javascript', 'application/javascript', 'application/ecmascript'];

/** Only for the types of the tests. */
function isRun(type: string, nomodule: string | null): boolean {
  return JAVASCRIPT.includes(type.toLowerCase()) && (nomodule === null || type.toLowerCase() === 'module');
}

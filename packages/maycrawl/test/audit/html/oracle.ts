/**
 * Naive implementation of the same facts: parse5 builds the tree of a browser, and one traversal reads it.
 */
import { type HtmlFacts, readRobotsMeta } from '@maycrawl/core/indexability';
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
    robots: findByName('meta').flatMap((element) => {
      const [name, content] = [getAttribute(element, 'name'), getAttribute(element, 'content')];
      return name === null || content === null ? [] : (readRobotsMeta(name, content) ?? []);
    }),
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
      return href === null ? [] : [{ element: name, href, rel: getAttribute(element, 'rel') ?? '' }];
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

function getAttribute(element: Element, name: string): string | null {
  return element.attrs.find((each) => each.name === name)?.value ?? null;
}

function getText(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

/**
 * The naive way to the same facts: parse5 builds the tree that a browser would build, and one walk reads it.
 */
import { type HtmlFacts, readRobotsMeta } from '@maycrawl/core/indexability';
import { type DefaultTreeAdapterMap, parse } from 'parse5';

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

const HTML = 'http://www.w3.org/1999/xhtml';

/** The facts of a document without limits. */
export function readTree(html: string): HtmlFacts {
  const elements = elementsOf(html);
  const named = (...names: readonly string[]): Element[] =>
    elements.map(({ element }) => element).filter(({ tagName }) => names.includes(tagName));
  const title = named('title')[0];
  return {
    title:
      title === undefined
        ? null
        : textOf(title)
            .replace(/[\t\n\f\r ]+/g, ' ')
            .replace(/^ | $/g, ''),
    base: named('base').flatMap((element) => attribute(element, 'href') ?? [])[0] ?? null,
    robots: named('meta').flatMap((element) => {
      const [name, content] = [attribute(element, 'name'), attribute(element, 'content')];
      return name === null || content === null ? [] : (readRobotsMeta(name, content) ?? []);
    }),
    refreshes: named('meta')
      .filter((element) => /^refresh$/i.test(attribute(element, 'http-equiv') ?? ''))
      .flatMap((element) => attribute(element, 'content') ?? []),
    links: elements.flatMap(({ element, inHead }) => {
      const get = (name: string): string | null => attribute(element, name);
      const [rel, href] = [get('rel'), get('href')];
      if (element.tagName !== 'link' || rel === null || href === null) return [];
      const [hreflang, lang, media, type] = [get('hreflang'), get('lang'), get('media'), get('type')];
      return [{ rel, href, hreflang, lang, media, type, inHead }];
    }),
    references: named('a', 'area', 'iframe', 'frame').flatMap((element) => {
      const name = element.tagName as 'a' | 'area' | 'iframe' | 'frame';
      const href = attribute(element, name.endsWith('frame') ? 'src' : 'href');
      return href === null ? [] : [{ element: name, href, rel: attribute(element, 'rel') ?? '' }];
    }),
    isTruncated: false,
  };
}

/**
 * The HTML elements of the document, in the order of their tags. The tree can hold one of a tag twice (`<a>` that is not
 * closed is opened again in the next paragraph), and can hold it before what was written before it (out of a table).
 */
function elementsOf(html: string): { element: Element; inHead: boolean }[] {
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

function attribute(element: Element, name: string): string | null {
  return element.attrs.find((each) => each.name === name)?.value ?? null;
}

function textOf(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

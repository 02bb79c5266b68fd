// The HTML of a document after its scripts, read in a world of its own, in which scripts of the page have replaced nothing.
import type { CDPSession } from 'playwright-core';
import { PAGE_LIMITS } from '../../html/read-page.ts';
import { PageRenderError } from './render-error.ts';

/** Elements of a document. */
const MAX_ELEMENTS = 200_000;
const MAX_CHARS = PAGE_LIMITS.bytes;

/** A document after its scripts. */
export interface RenderedDocument {
  readonly html: string;
  /** The URL against which its links resolve: scripts change it with a base element, or with the History API. */
  readonly base: string;
}

/** What the script returns: the document, or the number of elements if there are too many. */
type Snapshot = RenderedDocument | { readonly elements: number };

/**
 * Runs in the page. An element with a name can hide a property of the document, so properties are read from prototypes. The contents of
 * open shadow roots follow the document, as if they were in its body.
 */
const SCRIPT = `(() => {
  const get = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const root = get(Document.prototype, 'documentElement').call(document);
  const base = get(Node.prototype, 'baseURI').call(document);
  if (root === null) return { html: '', base };
  const elements = Document.prototype.getElementsByTagName.call(document, '*');
  if (elements.length > ${MAX_ELEMENTS}) return { elements: elements.length };
  const getHtml = get(Element.prototype, 'outerHTML');
  const getInner = get(ShadowRoot.prototype, 'innerHTML');
  const getShadow = get(Element.prototype, 'shadowRoot');
  const parts = [getHtml.call(root)];
  let chars = parts[0].length;
  let left = ${MAX_ELEMENTS};
  const queue = [elements];
  for (let list = queue.shift(); list !== undefined && chars <= ${MAX_CHARS}; list = queue.shift())
    for (const element of list) {
      if (left-- <= 0) return { elements: ${MAX_ELEMENTS + 1} };
      const shadow = getShadow.call(element);
      if (shadow === null) continue;
      parts.push(getInner.call(shadow));
      chars += parts[parts.length - 1].length;
      queue.push(shadow.querySelectorAll('*'));
    }
  return { html: parts.join('').slice(0, ${MAX_CHARS + 1}), base };
})()`;

/** Opens a world in which scripts of the page have replaced nothing. Returns its id. */
export async function openIsolatedWorld(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  return executionContextId;
}

/**
 * Reads the document.
 *
 * @throws {PageRenderError} if it is too large.
 */
export async function readDocument(session: CDPSession): Promise<RenderedDocument> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    contextId: await openIsolatedWorld(session),
    expression: SCRIPT,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined)
    throw new PageRenderError('crashed', `its document cannot be read: ${exceptionDetails.text}`);
  const snapshot = result.value as Snapshot;
  if ('html' in snapshot) return snapshot;
  throw new PageRenderError('too-large', `more than ${MAX_ELEMENTS} elements`);
}

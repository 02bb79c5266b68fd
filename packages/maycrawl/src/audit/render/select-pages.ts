// Selects the pages to render: a sample over the folders of a site, because the pages of a folder have the same scripts.
import { getPathStart } from '@maycrawl/core/url';
import type { RenderablePage } from '../run/records/rendering.ts';
import type { RunStore } from '../run/run-store.ts';

/** Number of pages that are read at a time. */
const CHUNK = 1_000;
/** Number of folders that are distinguished. */
const MAX_FOLDERS = 10_000;
/** Number of pages that are selected at a time. */
const MAX_SELECTED = 10_000;

/**
 * Selects pages that were not rendered: from each folder in turn, those nearest to a start first.
 *
 * @param limit - maximum number of pages.
 * @param except - keys of pages that are not selected.
 */
export function selectPages(run: RunStore, limit: number, except: ReadonlySet<number>): RenderablePage[] {
  const wanted = Math.min(limit, MAX_SELECTED);
  const folders = new Map<string, RenderablePage[]>();
  for (let after = -1; ; ) {
    const pages = run.renderings.listRenderable(after, CHUNK);
    for (const page of pages) if (!except.has(page.key)) addPage(folders, page, wanted);
    const last = pages.at(-1);
    if (last === undefined) break;
    after = last.key;
  }
  return takeTurns([...folders.values()].map(sortByDepth), wanted);
}

/** Adds a page to its folder. Of a large folder it keeps those nearest to a start. */
function addPage(folders: Map<string, RenderablePage[]>, page: RenderablePage, wanted: number): void {
  const name = getFolder(page.url);
  const folder = folders.get(name);
  if (folder !== undefined) {
    folder.push(page);
    if (folder.length >= 2 * wanted) folder.splice(0, folder.length, ...sortByDepth(folder).slice(0, wanted));
  } else if (folders.size < MAX_FOLDERS) folders.set(name, [page]);
}

/** The host and the first segment of the path, unless that is the page itself. */
function getFolder(url: string): string {
  const path = getPathStart(url);
  const [end, query] = [url.indexOf('/', path + 1), url.indexOf('?', path)];
  const isFolder = end >= 0 && (query < 0 || end < query);
  return url.slice(0, isFolder ? end : path);
}

function sortByDepth(pages: readonly RenderablePage[]): RenderablePage[] {
  const toNumber = (depth: number | null): number => depth ?? Number.MAX_SAFE_INTEGER;
  return pages.toSorted((a, b) => toNumber(a.depth) - toNumber(b.depth) || a.key - b.key);
}

function takeTurns(folders: readonly (readonly RenderablePage[])[], limit: number): RenderablePage[] {
  const selected: RenderablePage[] = [];
  for (let turn = 0; selected.length < limit; turn++) {
    const before = selected.length;
    for (const folder of folders) {
      const page = folder[turn];
      if (page !== undefined && selected.length < limit) selected.push(page);
    }
    if (selected.length === before) break;
  }
  return selected;
}

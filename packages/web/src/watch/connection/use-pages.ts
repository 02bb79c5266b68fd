// Lists that begin with the newest items; the user requests older ones page by page.
import type { WatchResponse } from 'maycrawl/api';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useWatchClient } from './watch-client.ts';

type ListName = 'versions' | 'events';
type ItemIn<Name extends ListName> = (WatchResponse<'GET versions'> &
  WatchResponse<'GET events'>)[Name][number];

interface PagedList<Name extends ListName> {
  /** The route of older pages, and the field of its response. */
  readonly name: Name;
  readonly origin: string;
  /** The first page, and whether there are others. */
  readonly newest: readonly ItemIn<Name>[];
  readonly hasMore: boolean;
  readonly getKey: (item: ItemIn<Name>) => string;
  /** `before` of the next page if this is the last item. It grows with time. */
  readonly getCursor: (item: ItemIn<Name>) => number | string;
}

interface LoadedPages<Item> {
  /** The newest first. */
  readonly items: readonly Item[];
  /** Loads the next page; `null` if there is none. */
  readonly loadMore: (() => void) | null;
}

const PAGE_SIZE = 100;

export function usePages<Name extends ListName>(list: PagedList<Name>): LoadedPages<ItemIn<Name>> {
  const { name, origin, newest, hasMore, getKey, getCursor } = list;
  const { request } = useWatchClient();
  const loaded = useRef(new Map<string, ItemIn<Name>>());
  const [isAtEnd, setIsAtEnd] = useState(!hasMore);
  const [pageCount, setPageCount] = useState(0);
  const items = useMemo(() => {
    for (const item of newest) loaded.current.set(getKey(item), item);
    return [...loaded.current.values()].sort((a, b) => (getCursor(a) < getCursor(b) ? 1 : -1));
  }, [newest, pageCount]);
  const loadMore = async (): Promise<void> => {
    const last = items.at(-1);
    if (last === undefined) return;
    const query = { origin, before: getCursor(last), limit: PAGE_SIZE };
    const result = await request(`GET ${name}`, query);
    if (result.kind === 'problem') return;
    const older = (result.value as Record<Name, readonly ItemIn<Name>[]>)[name];
    for (const item of older) loaded.current.set(getKey(item), item);
    setIsAtEnd(older.length < PAGE_SIZE);
    setPageCount(pageCount + 1);
  };
  return { items, loadMore: isAtEnd ? null : () => void loadMore() };
}

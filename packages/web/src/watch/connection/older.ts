/**
 * Lists that begin with the newest, and go on with older parts when somebody asks for them.
 *
 * @module
 */
import { useMemo, useRef, useState } from 'preact/hooks';
import { useService } from './asking.ts';

/** A list of a site that is given part by part. */
interface Listing<Item> {
  /** Of the route that gives older parts, and the field of its answer. */
  readonly path: 'versions' | 'events';
  readonly origin: string;
  /** The newest part, as it came last, and whether there was more. */
  readonly newest: readonly Item[];
  readonly hasMore: boolean;
  readonly keyOf: (item: Item) => string;
  /** What older parts are asked for with: those before this. It grows with time. */
  readonly cursorOf: (item: Item) => number | string;
}

/** What is known of it, and how to ask for more; `null` if there is no more. */
export interface Older<Item> {
  /** The newest first. */
  readonly items: readonly Item[];
  readonly onMore: (() => void) | null;
}

/** Items of an older part. */
const PART = 100;

/** Keeps all parts that came. */
export function useOlder<Item>(listing: Listing<Item>): Older<Item> {
  const { path, origin, newest, hasMore, keyOf, cursorOf } = listing;
  const { ask } = useService();
  const known = useRef(new Map<string, Item>());
  const [isAtEnd, setIsAtEnd] = useState(!hasMore);
  const [parts, setParts] = useState(0);
  const items = useMemo(() => {
    for (const item of newest) known.current.set(keyOf(item), item);
    return [...known.current.values()].sort((a, b) => (cursorOf(a) < cursorOf(b) ? 1 : -1));
  }, [newest, parts]);
  const onMore = async (): Promise<void> => {
    const last = items.at(-1);
    if (last === undefined) return;
    const query = { origin, before: cursorOf(last), limit: PART };
    const reply = await ask<Readonly<Record<string, readonly Item[]>>>(path, query);
    if (reply.kind === 'problem') return;
    const older = reply.answer[path] ?? [];
    for (const item of older) known.current.set(keyOf(item), item);
    setIsAtEnd(older.length < PART);
    setParts(parts + 1);
  };
  return { items, onMore: isAtEnd ? null : () => void onMore() };
}

// Adds alerts to an Atom feed in a file.
import { randomUUID } from 'node:crypto';
import { parseUrl } from '@maycrawl/core/url';
import { type Alert, LENGTHS, type Message } from '../../message.ts';
import { plainId, plainLine, plainLines } from '../../plain.ts';
import { type FeedEntry, formatFeed, parseFeed } from '../messages/atom-feed.ts';
import { changeFile } from '../messages/change-file.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

const MAX_ENTRIES = 100;
/** A feed with `MAX_ENTRIES` entries is smaller. */
const MAX_BYTES = 4_000_000;

/** Adds the alerts of a message to a feed, the newest first. Existing entries do not change. */
export async function addToFeed(path: string, message: Message, { signal }: Delivery): Promise<void> {
  try {
    await changeFile(path, MAX_BYTES, signal, (before) => {
      const feed = before === undefined ? { id: `urn:uuid:${randomUUID()}`, entries: [] } : parseFeed(before);
      // A file that another program wrote is not overwritten.
      if (feed === undefined)
        throw new DeliveryError('feed', 'the file is not a feed of maycrawl: move it, or use another path');
      const { id, entries } = feed;
      const known = new Set(entries.map((entry) => entry.id));
      const added = message.alerts.map(toEntry).filter((entry) => !known.has(entry.id));
      if (added.length === 0 && before !== undefined) return undefined;
      const all = [...added, ...entries].sort((a, b) =>
        a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0,
      );
      return formatFeed({ id, entries: all.slice(0, MAX_ENTRIES) });
    });
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    signal.throwIfAborted();
    const { code, message: reason } = error as NodeJS.ErrnoException;
    throw new DeliveryError('feed', `the feed cannot be written: ${code ?? reason}`);
  }
}

function toEntry({ id, at, origin, severity, title, text }: Alert): FeedEntry {
  const link = /^https?:/.test(origin) ? parseUrl('/robots.txt', origin)?.href : undefined;
  return {
    id: `urn:maycrawl:event:${plainId(id)}`,
    title: plainLine(title, LENGTHS.title) || '(no title)',
    updated: new Date(at).toISOString(),
    category: severity,
    ...(link !== undefined && { link }),
    content: plainLines(text, LENGTHS.text),
  };
}

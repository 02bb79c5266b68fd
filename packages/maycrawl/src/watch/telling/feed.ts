/**
 * An Atom feed (RFC 4287), kept in a file.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser';
import { changeFile } from './change-file.ts';
import { type Alert, LENGTHS, type Message } from './message.ts';
import { plainId, plainLine, plainLines } from './plain.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

const MAX_ENTRIES = 100;
/** A feed of so many entries is smaller. */
const MAX_BYTES = 4_000_000;

const XML = { ignoreAttributes: false, attributeNamePrefix: '@' } as const;
const PARSER: XMLParser = new XMLParser({
  ...XML,
  parseTagValue: false,
  isArray: (name) => name === 'entry',
});
const BUILDER: XMLBuilder = new XMLBuilder({ ...XML, format: true, suppressBooleanAttributes: false });

/** An entry as XML is built of it. */
interface Entry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly category: { readonly '@term': string };
  readonly link?: { readonly '@rel': 'alternate'; readonly '@href': string };
  readonly content: { readonly '@type': 'text'; readonly '#text': string };
}

interface Feed {
  readonly id: string;
  readonly entries: readonly Entry[];
}

/** Adds the alerts of a message to a feed, which has the newest first; those that it has already stay as they are. */
export async function tellFeed(path: string, message: Message, { signal }: Delivery): Promise<void> {
  try {
    await changeFile(path, MAX_BYTES, signal, (before) => {
      const { id, entries } =
        before === undefined ? { id: `urn:uuid:${randomUUID()}`, entries: [] } : read(before);
      const known = new Set(entries.map((entry) => entry.id));
      const added = message.alerts.map(entryOf).filter((entry) => !known.has(entry.id));
      if (added.length === 0 && before !== undefined) return undefined;
      const all = [...added, ...entries].sort((a, b) =>
        a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0,
      );
      return write({ id, entries: all.slice(0, MAX_ENTRIES) });
    });
  } catch (error) {
    if (error instanceof DeliveryError) throw error;
    signal.throwIfAborted();
    const { code, message: reason } = error as NodeJS.ErrnoException;
    throw new DeliveryError('feed', `the feed cannot be written: ${code ?? reason}`);
  }
}

function entryOf({ id, at, origin, severity, title, text }: Alert): Entry {
  const link =
    URL.canParse(origin) && /^https?:/.test(origin) ? new URL('/robots.txt', origin).href : undefined;
  return {
    id: `urn:maycrawl:event:${plainId(id)}`,
    title: plainLine(title, LENGTHS.title) || '(no title)',
    updated: new Date(at).toISOString(),
    category: { '@term': severity },
    ...(link !== undefined && { link: { '@rel': 'alternate', '@href': link } as const }),
    content: { '@type': 'text', '#text': plainLines(text, LENGTHS.text) },
  };
}

/** @throws {DeliveryError} if the file is something else: what somebody else has written is not overwritten. */
function read(xml: string): Feed {
  const feed = XMLValidator.validate(xml) === true ? PARSER.parse(xml)?.feed : undefined;
  const entries = feed?.entry ?? [];
  const isOurs = typeof feed?.id === 'string' && entries.every((entry: Partial<Entry>) => isEntry(entry));
  if (!isOurs)
    throw new DeliveryError('feed', 'the file is no feed of maycrawl: move it away, or write another path');
  return { id: feed.id, entries: entries.map(knownPartsOf) };
}

function isEntry({ id, title, updated, content }: Partial<Entry>): boolean {
  return [id, title, updated, content?.['@type']].every((part) => typeof part === 'string');
}

/** Without what somebody has added. */
function knownPartsOf({ id, title, updated, category, link, content }: Entry): Entry {
  return { id, title, updated, category, ...(link && { link }), content };
}

function write({ id, entries }: Feed): string {
  return BUILDER.build({
    '?xml': { '@version': '1.0', '@encoding': 'utf-8' },
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id,
      title: 'maycrawl: changes of robots.txt',
      updated: entries[0]?.updated ?? new Date(0).toISOString(),
      author: { name: 'maycrawl' },
      generator: 'maycrawl',
      entry: entries,
    },
  });
}

/**
 * Reading the sitemaps of a run: one at a time, as they come, within what sitemaps.org allows.
 *
 * @module
 */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isLocalFailure } from '@maycrawl/client/http';
import { firstChunk } from '@maycrawl/client/streams';
import { resolveUrl } from '@maycrawl/core/indexability';
import type { Classify, KeptSitemap, RunStore } from '../run/run-store.ts';
import { type Entry, SitemapText } from './sitemap-text.ts';

/** What a sitemap may have at most, and a run of them (sitemaps.org). */
export interface SitemapLimits {
  readonly entries: number;
  /** Unpacked. */
  readonly bytes: number;
  /** Characters of an entry. */
  readonly entryChars: number;
  readonly sitemaps: number;
}

export const SITEMAP_LIMITS: SitemapLimits = {
  entries: 50_000,
  bytes: 50 * 2 ** 20,
  entryChars: 2_048,
  sitemaps: 50_000,
};

/** URLs that are written at once. */
const CHUNK = 500;
/** Redirects of a sitemap that are followed. */
const MAX_REDIRECTS = 5;

/** Opens a sitemap. */
type OpenSitemap = (
  url: string,
  signal: AbortSignal,
) => Promise<{
  readonly status: number;
  readonly location: string | null;
  /** Decompressed by its Content-Encoding. */
  readonly body: Readable;
}>;

export interface SitemapReading {
  readonly run: RunStore;
  readonly classify: Classify;
  readonly open: OpenSitemap;
  /** Whether the sitemap may be fetched. */
  readonly mayFetch: (url: string) => Promise<boolean>;
  /** Milliseconds for one sitemap. */
  readonly timeout: number;
  readonly limits: SitemapLimits;
}

/** Reads a sitemap, and keeps what it names in the run. */
export async function readSitemap(
  sitemap: KeptSitemap,
  reading: SitemapReading,
  signal: AbortSignal,
): Promise<void> {
  const { run, timeout } = reading;
  const entries = new Entries(sitemap, reading);
  const deadline = AbortSignal.timeout(timeout);
  const either = AbortSignal.any([signal, deadline]);
  let problem: string | null;
  try {
    problem = await readBody(sitemap.url, entries, reading, either);
  } catch (error) {
    signal.throwIfAborted();
    // It says nothing about the sitemap, which stays unread.
    if (isLocalFailure(error)) throw error;
    problem = deadline.aborted ? `no complete answer within ${timeout} ms` : messageOf(error);
  }
  await entries.flush();
  const told = [problem, ...entries.problems()].filter((each) => each !== null);
  await run.closeSitemap(sitemap.id, entries.count, told.length === 0 ? null : told.join('; '));
}

/** @returns what is wrong; `null` if all of it was read. */
async function readBody(
  start: string,
  entries: Entries,
  { open, mayFetch, limits }: SitemapReading,
  signal: AbortSignal,
): Promise<string | null> {
  let url = resolveUrl(start, start);
  for (let hop = 0; ; hop++) {
    if (url === null) return hop === 0 ? 'not an http or https URL' : 'a redirect that leads nowhere';
    if (!(await mayFetch(url))) return 'disallowed by robots.txt';
    if (hop > MAX_REDIRECTS) return `more than ${MAX_REDIRECTS} redirects`;
    const { status, location, body } = await open(url, signal);
    try {
      if (location !== null) {
        url = resolveUrl(location, url);
        continue;
      }
      if (status !== 200) return `status ${status}`;
      return await readText(body, entries, limits);
    } finally {
      body.on('error', () => {}).destroy();
    }
  }
}

/** A sitemap has more than it may. */
class TooMuch extends Error {}

async function readText(body: Readable, entries: Entries, limits: SitemapLimits): Promise<string | null> {
  const decoder = new TextDecoder();
  let bytes = 0;
  const text = new SitemapText((entry) => entries.add(entry));
  const plain = await unpacked(body);
  try {
    for await (const chunk of plain as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > limits.bytes) throw new TooMuch(`more than ${limits.bytes} bytes`);
      text.write(decoder.decode(chunk, { stream: true }));
      await entries.flush();
    }
    text.end();
    await entries.flush();
    return text.isBroken ? 'it breaks off' : null;
  } catch (error) {
    if (error instanceof TooMuch) return error.message;
    throw error;
  } finally {
    plain.destroy();
  }
}

/** The body without the gzip around it, if there is one. What breaks the body breaks what comes of it. */
async function unpacked(body: Readable): Promise<Readable> {
  const first = await firstChunk(body);
  if (first === undefined || first[0] !== 0x1f || (first.length > 1 && first[1] !== 0x8b)) return body;
  return pipeline(body, createGunzip(), () => {});
}

/** The entries of one sitemap, on their way into the run. */
class Entries {
  readonly #sitemap: KeptSitemap;
  readonly #reading: SitemapReading;
  #waiting: Entry[] = [];
  count = 0;
  #long = 0;
  #wrong = 0;
  #nested = 0;

  constructor(sitemap: KeptSitemap, reading: SitemapReading) {
    this.#sitemap = sitemap;
    this.#reading = reading;
  }

  add(entry: Entry): void {
    const { entries, entryChars } = this.#reading.limits;
    if (this.count >= entries) throw new TooMuch(`more than ${entries} entries`);
    this.count++;
    if (entry.text.length > entryChars) this.#long++;
    else this.#waiting.push(entry);
  }

  async flush(): Promise<void> {
    const { run, classify } = this.#reading;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += CHUNK) {
      const pages: string[] = [];
      for (const { kind, text } of waiting.slice(from, from + CHUNK)) {
        const url = /^https?:\/\//i.test(text) ? resolveUrl(text, text) : null;
        if (url === null) this.#wrong++;
        else if (kind === 'page') pages.push(url);
        else if (this.#sitemap.foundIn.startsWith('http')) this.#nested++;
        else await run.addSitemap(url, this.#sitemap.url);
      }
      await run.addEntries(this.#sitemap.id, pages, classify);
    }
  }

  /** What is wrong with entries. */
  problems(): string[] {
    const { entryChars } = this.#reading.limits;
    const told: [number, string][] = [
      [this.#long, `longer than ${entryChars} characters`],
      [this.#wrong, 'no absolute http or https URL'],
      [this.#nested, 'sitemaps in an index that another index names, which are not read'],
    ];
    return told.flatMap(([count, what]) =>
      count === 0 ? [] : [`${count} ${count === 1 ? 'entry' : 'entries'}: ${what}`],
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

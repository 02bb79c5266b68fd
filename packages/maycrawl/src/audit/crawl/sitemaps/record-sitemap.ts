// Reads one sitemap of a run and records the URLs that it names.
import { isLocalFailure, RequestError } from '@maycrawl/client/internal';
import {
  SITEMAP_LIMITS as ONE_SITEMAP,
  type SitemapLimits as OneSitemapLimits,
  openSitemap,
  readSitemap,
  type SitemapEntry,
  type SitemapRequests,
} from '@maycrawl/client/sitemap';
import { resolveUrl } from '@maycrawl/core/indexability';
import type { Classify } from '../../run/records/url.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { SitemapProblem, StoredSitemap } from '../../run/tables/sitemap-table.ts';
import { describeContent, describeFailedBody, describeFailedRequest } from './sitemap-problems.ts';

/** What a sitemap may have at most (sitemaps.org). */
export interface SitemapLimits extends OneSitemapLimits {
  /** Characters of an entry. */
  readonly entryChars: number;
}

export const SITEMAP_LIMITS: SitemapLimits = { ...ONE_SITEMAP, entryChars: 2_048 };

/** URLs that are written at a time. */
const CHUNK = 500;

/** How sitemaps are read and recorded. */
export interface SitemapRecording {
  readonly run: RunStore;
  readonly classify: Classify;
  readonly requests: SitemapRequests;
  readonly limits: SitemapLimits;
  /** Adds a sitemap that an index names. Returns `false` if the run has too many. */
  readonly addSitemap: (url: string, index: string) => boolean;
}

export interface ReadSitemap {
  /** Decoded; for a sitemap that was not read to its end the most that it may have. */
  readonly bytes: number;
  /** Whether its host sent no complete response. */
  readonly isUnanswered: boolean;
}

/**
 * Reads a sitemap and records the URLs that it names, and what is wrong with it.
 *
 * @throws a failure of this machine, and the reason of the signal: then the sitemap stays unread.
 */
export async function recordSitemap(
  sitemap: StoredSitemap,
  recording: SitemapRecording,
  signal: AbortSignal,
): Promise<ReadSitemap> {
  const { run } = recording;
  const entries = new EntryRecorder(sitemap, recording);
  const { problem, ...read } = await record(sitemap.url, entries, recording, signal);
  const problems = problem === null ? [] : [problem];
  // What is no sitemap has no entries that could be invalid.
  if (problem?.code !== 'sitemap-invalid') problems.push(...entries.describeProblems());
  run.sitemaps.close(sitemap.id, entries.count, problems);
  return read;
}

/** What was read of a sitemap, and what is wrong with the file; `null` if all of it was read. */
type RecordedFile = ReadSitemap & { readonly problem: SitemapProblem | null };

async function record(
  url: string,
  entries: EntryRecorder,
  { requests, limits }: SitemapRecording,
  signal: AbortSignal,
): Promise<RecordedFile> {
  const fail = (error: unknown, describe: (error: unknown) => SitemapProblem): RecordedFile => {
    signal.throwIfAborted();
    // It says nothing about the sitemap.
    if (isLocalFailure(error)) throw error;
    return { problem: describe(error), bytes: limits.bytes, isUnanswered: error instanceof RequestError };
  };
  let pieces: ReturnType<typeof readSitemap>;
  try {
    const { bytes, entries: count } = limits;
    const body = await openSitemap(resolveUrl(url, url) ?? url, requests);
    pieces = readSitemap(body, { bytes, entries: count });
  } catch (error) {
    return fail(error, describeFailedRequest);
  }
  try {
    for (;;) {
      const next = await pieces.next().catch((error: unknown) => fail(error, describeFailedBody));
      if ('problem' in next) return next;
      const { value, done } = next;
      if (done) return { problem: describeContent(value, entries), bytes: value.bytes, isUnanswered: false };
      entries.add(value);
    }
  } finally {
    // After a failure of the run the body is still open.
    await pieces.return(undefined as never);
  }
}

class EntryRecorder {
  readonly #sitemap: StoredSitemap;
  readonly #recording: SitemapRecording;
  #tooLong = 0;
  invalid = 0;
  #nested = 0;
  #tooMany = 0;
  count = 0;

  constructor(sitemap: StoredSitemap, recording: SitemapRecording) {
    this.#sitemap = sitemap;
    this.#recording = recording;
  }

  add(entries: readonly SitemapEntry[]): void {
    const { run, classify, addSitemap } = this.#recording;
    this.count += entries.length;
    for (let from = 0; from < entries.length; from += CHUNK) {
      const pages: string[] = [];
      for (const entry of entries.slice(from, from + CHUNK)) {
        const url = this.#parse(entry);
        if (url === null) continue;
        if (entry.kind === 'page') pages.push(url);
        // What names the sitemap is an index itself.
        else if (this.#sitemap.foundIn.startsWith('http')) this.#nested++;
        else if (!addSitemap(url, this.#sitemap.url)) this.#tooMany++;
      }
      run.addEntries(this.#sitemap.id, pages, classify);
    }
  }

  #parse({ text }: SitemapEntry): string | null {
    if (text.length > this.#recording.limits.entryChars) {
      this.#tooLong++;
      return null;
    }
    const url = /^https?:\/\//i.test(text) ? resolveUrl(text, text) : null;
    if (url === null) this.invalid++;
    return url;
  }

  /** Describes what is wrong with entries. */
  describeProblems(): SitemapProblem[] {
    const { entryChars } = this.#recording.limits;
    const invalid = [
      describeEntries(this.#tooLong, `longer than ${entryChars} characters`),
      describeEntries(this.invalid, 'no absolute http or https URL'),
      describeEntries(this.#nested, 'sitemaps in an index that another index names, which are not read'),
    ].filter((text) => text !== null);
    const omitted = describeEntries(
      this.#tooMany,
      'sitemaps after those that a run has at most, which are not read',
    );
    return [
      ...(invalid.length === 0
        ? []
        : [{ code: 'sitemap-invalid-entries', detail: invalid.join('; ') } as const]),
      ...(omitted === null ? [] : [{ code: 'not-read', detail: omitted } as const]),
    ];
  }
}

function describeEntries(count: number, what: string): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? 'entry' : 'entries'}: ${what}`;
}

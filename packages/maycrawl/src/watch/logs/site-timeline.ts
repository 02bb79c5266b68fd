// The versions of a robots.txt as a timeline, by which requests of access logs are judged.
import { Timeline } from '../../logs/rules/timeline.ts';
import { findContents } from '../storage/contents.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { readVersions } from '../storage/report-queries.ts';
import { splitIntoChunks } from '../storage/rows.ts';
import type { VersionRow } from '../storage/tables.ts';

/** Bytes of the versions of one site. */
const MAX_BYTES = 256_000_000;

/** The versions of a site cannot be read. The message has one line. */
export class TimelineError extends Error {
  override readonly name = 'TimelineError';
  /** `no-file`: a version has lost its file. `too-large`: all files together are too large. */
  readonly code: 'no-file' | 'too-large';

  constructor(code: TimelineError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads all versions of a site. While a robots.txt is unreachable, the version before it stays.
 *
 * @throws {TimelineError} if they cannot be read.
 */
export async function readTimeline(database: WatchDatabase, origin: string): Promise<Timeline> {
  const rows = (await readVersions(database, origin)).filter(({ kind }) => kind !== 'unreachable');
  if (rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0) > MAX_BYTES)
    throw new TimelineError('too-large', `the versions of ${origin} have more than ${MAX_BYTES / 1e6} MB`);
  const contents = await readContents(database, rows);
  return new Timeline(
    rows.map(({ number, first_seen: from, hash }) => {
      const body = hash === null ? new Uint8Array() : contents.get(hash);
      if (body !== undefined) return { name: String(number), from, body };
      throw new TimelineError(
        'no-file',
        `the database is damaged: version ${number} of ${origin} has no file`,
      );
    }),
  );
}

/** Reads the files of versions by their hashes. */
async function readContents(
  { db }: WatchDatabase,
  rows: readonly Pick<VersionRow, 'hash'>[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const hashes = [...new Set(rows.flatMap(({ hash }) => hash ?? []))];
  const contents = new Map<string, Uint8Array>();
  for (const some of splitIntoChunks(hashes))
    for (const { hash, bytes } of await findContents(db, some)) contents.set(hash, bytes);
  return contents;
}

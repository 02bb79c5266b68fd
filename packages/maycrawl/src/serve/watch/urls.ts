// Reads the input of {@link countUrlsOverTime}: the versions of a site, and its URL list.

import type { CacheHeaders } from '@maycrawl/client';
import { getFreshnessLifetime } from '@maycrawl/client/internal';
import { readFacts, readKind } from '../../watch/storage/stored-rows.ts';
import type { WatchContext } from './context.ts';
import { requireSite } from './site.ts';
import type { TimedVersion, UrlsTask } from './urls-over-time.ts';

type Facts = Pick<TimedVersion, 'status' | 'code'> & { readonly headers: CacheHeaders | null };

/** Bytes of all files; older versions are omitted. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the last versions of a site. @throws {Problem} `not-found` if the site is not monitored. */
export async function createUrlsTask(
  { repository, now }: WatchContext,
  origin: string,
  count: number,
): Promise<UrlsTask> {
  const row = await requireSite(repository, origin);
  const { checked_at } = row;
  const { agents, urls } = repository.settingsIn(row);
  const rows = await repository.versions(origin, { limit: count + 1 });
  const versions: TimedVersion[] = [];
  const files = new Map<string, Uint8Array | null>();
  let bytes = 0;
  let until = Math.max(now(), checked_at ?? 0);
  for (const { number, kind, hash, facts, first_seen, last_seen } of rows) {
    if (hash !== null && !files.has(hash)) {
      const file = (await repository.content(hash)) ?? null;
      bytes += file?.length ?? 0;
      if (bytes > MAX_BYTES) break;
      files.set(hash, file);
    }
    const { status = null, code = null, headers = null } = readFacts({ facts }) as Facts;
    const staleAt = headers === null ? null : last_seen + getFreshnessLifetime(headers, last_seen);
    const file = hash === null ? null : (files.get(hash) ?? null);
    versions.unshift({
      number,
      kind: readKind(kind),
      hash,
      status,
      code,
      file,
      from: first_seen,
      until,
      staleAt,
    });
    until = first_seen;
  }
  const [before = null, ...others] = versions;
  const isComplete = versions.length <= count;
  const text = urls === undefined ? undefined : await repository.content(urls.hash);
  return {
    ...{ origin, agents, urls: Buffer.from(text ?? []).toString() },
    versions: isComplete ? versions : others,
    before: isComplete ? null : before,
  };
}

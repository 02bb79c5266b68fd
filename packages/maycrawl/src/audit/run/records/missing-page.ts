/**
 * How a site responds to a URL that does not exist. The crawl requests one for each site, and stores the response with the run.
 *
 * @module
 */
import type { RunStore } from '../run-store.ts';

/** The response to a random URL. */
export interface MissingPage {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `null`: no response. */
  readonly status: number | null;
  /** The target of a redirect. */
  readonly location: string | null;
  readonly title: string | null;
  /** Bytes and digest of the body; `null`: it was not read. */
  readonly bytes: number | null;
  readonly digest: string | null;
}

/** The name under which a run stores the response of a site. */
const getName = (origin: string): string => `missing page of ${origin}`;

/** Returns whether the request to a site was claimed. */
export async function isMissingPageClaimed(run: RunStore, origin: string): Promise<boolean> {
  return (await run.get(getName(origin))) !== undefined;
}

/** Claims the request to a site. @returns `false` if this run has claimed it before. */
export function claimMissingPage(run: RunStore, origin: string): Promise<boolean> {
  return run.setIfAbsent(getName(origin), null);
}

/** Stores the response of a site. */
export function setMissingPage(run: RunStore, origin: string, page: MissingPage): Promise<void> {
  return run.set(getName(origin), page);
}

/** Returns the response of a site; `null` if none was requested. */
export async function getMissingPage(run: RunStore, origin: string): Promise<MissingPage | null> {
  return ((await run.get(getName(origin))) as MissingPage | null | undefined) ?? null;
}

// The file of a version, and a link to the tester page with it.
import type { WatchJson } from 'maycrawl/api';
import { decodeBase64 } from '../../shared/base64.ts';
import { initialState, type PageState, withFile } from '../../tester/state/page-state.ts';
import { decodeFile } from '../../tester/state/robots-file.ts';
import { toFragment } from '../../tester/state/share-link.ts';

/** Decodes the file of a version; empty if there was none, or it is no longer stored. */
export function decodeContent({ content }: Pick<WatchJson<'VersionFile'>, 'content'>): Uint8Array {
  return decodeBase64(content ?? '');
}

/** Splits a file into lines. The end of the last line begins no other one. */
export function splitLines(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Opens the tester page with a version and, to compare with, an earlier one.
 *
 * @returns `false` if they are too long for a link.
 */
export async function openInTester(
  origin: string,
  version: WatchJson<'VersionFile'>,
  before: WatchJson<'VersionFile'> | null,
): Promise<boolean> {
  const getName = ({ number }: WatchJson<'VersionFile'>): string => `version ${number}, ${origin}`;
  const site = /^https?:/.test(origin) ? { origin, url: `${origin}/` } : null;
  const loaded = withFile(decodeFile(decodeContent(version)), getName(version), site)(initialState());
  const state: PageState =
    before === null
      ? loaded
      : {
          ...loaded,
          panel: 'compare',
          baseline: { name: getName(before), content: decodeContent(before) },
        };
  const fragment = await toFragment(state);
  if (fragment !== null) location.assign(new URL(`./${fragment}`, location.href));
  return fragment !== null;
}

/**
 * The file of a version, and the way into the tester page with it.
 *
 * @module
 */
import {
  initialState,
  type PageState,
  withBaseline,
  withFile,
  withPanel,
} from '../../tester/state/page-state.ts';
import { fileOfBytes } from '../../tester/state/robots-file.ts';
import { toFragment } from '../../tester/state/share-link.ts';
import type { FullVersion } from '../answers.ts';

/** The bytes of a version; none where there was no file, or it is not kept any more. */
export function bytesOf({ content }: FullVersion): Uint8Array {
  try {
    return Uint8Array.from(atob(content ?? ''), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** The lines of a file, as people read it. */
export function linesOf(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Goes to the tester page, with a version and, to compare with, one before it.
 *
 * @returns whether it can: not with what is too long for a link.
 */
export async function openInTester(
  origin: string,
  version: FullVersion,
  before: FullVersion | null,
): Promise<boolean> {
  const nameOf = ({ number }: FullVersion): string => `version ${number}, ${origin}`;
  const site = /^https?:/.test(origin) ? origin : null;
  const loaded = withFile(fileOfBytes(bytesOf(version)), nameOf(version), site)(initialState());
  const state: PageState =
    before === null
      ? loaded
      : withPanel('compare')(withBaseline({ name: nameOf(before), content: bytesOf(before) })(loaded));
  const fragment = await toFragment(state);
  if (fragment !== null) location.assign(new URL(`./${fragment}`, location.href));
  return fragment !== null;
}

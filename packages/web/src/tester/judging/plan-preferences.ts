// The edit of a file that declares the wishes of its owner, as data for messages between threads.
import {
  type PreferenceEdit,
  type PreferenceLimit,
  type PreferenceSettings,
  setPreferences,
  type WritableFormat,
} from '@maycrawl/core/preferences';
import { type Content, decodeFile } from '../state/robots-file.ts';

/** What the owner wants to declare, and how. */
export interface PreferenceWishes {
  readonly wishes: PreferenceSettings;
  readonly formats: readonly WritableFormat[];
  /** The present `/.well-known/tdmrep.json`; empty if it does not exist. */
  readonly tdmrep: string;
}

/** The edit, or the reason for a refusal. */
export type PreferencePlan =
  | {
      readonly kind: 'set';
      /** The new file. */
      readonly bytes: Uint8Array;
      /** Its text; `null` if that cannot represent all bytes. */
      readonly text: string | null;
      readonly edits: readonly PreferenceEdit[];
      readonly editCount: number;
      readonly limits: readonly PreferenceLimit[];
      /** The policy tokens whose rules change. For all other crawlers, no verdict changes. */
      readonly exceptions: readonly string[];
      /** The new tdmrep.json; `null` if it is not selected. */
      readonly tdmrep: string | null;
    }
  | { readonly kind: 'refused'; readonly message: string; readonly limits: readonly PreferenceLimit[] };

/** Edits and limits that are returned. */
const MAX_EDITS = 50;

/** Plans the edit, and proves that no verdict changes. */
export function planPreferences(
  content: Content,
  profile: string,
  { wishes, formats, tdmrep }: PreferenceWishes,
): PreferencePlan {
  const result = setPreferences(content, wishes, {
    ...{ profile, formats },
    ...(tdmrep.trim() !== '' && { tdmrep }),
  });
  const limits = result.limits.slice(0, MAX_EDITS);
  if (result.kind === 'refused') return { kind: 'refused', message: result.message, limits };
  const { bytes, edits, proof } = result;
  const { text, original } = decodeFile(bytes);
  return {
    kind: 'set',
    bytes,
    text: original?.isUtf8 === true ? text : null,
    edits: edits.slice(0, MAX_EDITS),
    editCount: edits.length,
    limits,
    exceptions: proof.exceptions,
    tdmrep: result.tdmrep,
  };
}

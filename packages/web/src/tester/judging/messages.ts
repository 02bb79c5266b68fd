// Messages between the page and its workers.
import type { Finding } from '@maycrawl/core/lint';
import type { Refusal } from '@maycrawl/core/preferences';
import type { SourceInput } from '../state/declaration-sources.ts';
import type { Content } from '../state/robots-file.ts';
import type { Comparison } from './compare.ts';
import type { Explanation } from './explain.ts';
import type { PreferencePlan, PreferenceWishes } from './plan-preferences.ts';
import type { PreferenceDetails, PreferenceTable } from './preferences.ts';

/** A robots.txt to evaluate. */
export interface FileInput {
  readonly content: Content;
  readonly profile: string;
  /** Its origin; `null` if it applies to every URL. */
  readonly origin: string | null;
}

export type JudgeRequest =
  /** Evaluates the list of URLs, which is sent only when it changes. */
  | { readonly kind: 'matrix'; readonly file: FileInput; readonly crawlers: readonly string[] }
  | { readonly kind: 'explain'; readonly file: FileInput; readonly crawler: string; readonly url: string }
  /** Reads what is declared about the use of URLs. */
  | {
      readonly kind: 'preference-table';
      readonly file: FileInput;
      readonly sources: SourceInput;
      readonly urls: readonly string[];
      readonly crawlers: readonly string[];
      /** Milliseconds after which no further URL is read; `null` for no limit. */
      readonly time: number | null;
    }
  /** Reads everything that is declared for one crawler and URL. */
  | {
      readonly kind: 'preference-details';
      readonly file: FileInput;
      readonly sources: SourceInput;
      readonly crawler: string;
      readonly url: string;
    };

/** What requests of a kind result in. The matrix has a byte for each URL and crawler (cell.ts). */
export interface JudgeResults {
  readonly matrix: Uint8Array;
  readonly explain: Explanation;
  readonly 'preference-table': PreferenceTable;
  readonly 'preference-details': PreferenceDetails;
}

/** Messages to the judging worker. Of each slot only the last request has a response. */
export type JudgeMessage =
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'cancel'; readonly slot: string }
  | {
      readonly kind: 'request';
      readonly slot: string;
      readonly turn: number;
      readonly request: JudgeRequest;
    };

export interface JudgeResponse {
  readonly slot: string;
  readonly turn: number;
  readonly result: JudgeResults[keyof JudgeResults];
}

/** Messages to the proof worker, which is terminated when a newer request replaces one. */
export type ProofRequest =
  | { readonly kind: 'findings'; readonly file: FileInput }
  | { readonly kind: 'reach'; readonly file: FileInput; readonly refusal: Refusal }
  | { readonly kind: 'fix'; readonly file: FileInput; readonly findings: readonly Finding[] }
  | { readonly kind: 'preferences'; readonly file: FileInput; readonly wishes: PreferenceWishes }
  | { readonly kind: 'compare'; readonly before: Content; readonly after: Content; readonly profile: string };

export type ProofResult =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[]; readonly total: number }
  /** How far a refusal reaches, in sentences. */
  | { readonly kind: 'reach'; readonly sentences: readonly string[] }
  /** The fixed file; `null` if no fix was applied. */
  | { readonly kind: 'fix'; readonly bytes: Uint8Array | null }
  | { readonly kind: 'preferences'; readonly plan: PreferencePlan }
  | { readonly kind: 'compare'; readonly comparison: Comparison }
  | { readonly kind: 'failed'; readonly message: string };

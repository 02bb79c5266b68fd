/**
 * What the page asks its workers, and what they answer.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import type { Content } from '../state/robots-file.ts';
import type { Comparing } from './compare.ts';
import type { Explanation } from './explain.ts';

/** A robots.txt, and how it is read. */
export interface FileToJudge {
  readonly content: Content;
  /** Name of a profile. */
  readonly profile: string;
  /** The origin that it speaks for; `null`: for every URL. */
  readonly origin: string | null;
}

/** Decides a list of URLs for crawlers. The list itself is sent when it changes, and not with every letter that is typed. */
export interface MatrixQuestion {
  readonly kind: 'matrix';
  readonly file: FileToJudge;
  readonly crawlers: readonly string[];
}

export interface ExplainQuestion {
  readonly kind: 'explain';
  readonly file: FileToJudge;
  readonly crawler: string;
  readonly url: string;
}

/** What the judging worker is asked. In each slot only the last question is answered. */
export type JudgeRequest =
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'ask'; readonly slot: string; readonly turn: number; readonly question: JudgeQuestion };
export type JudgeQuestion = MatrixQuestion | ExplainQuestion;

export interface JudgeReply {
  readonly slot: string;
  readonly turn: number;
  readonly answer: Uint8Array | Explanation;
}

/** What a proving worker is asked: one question at a time; it is ended when another one comes. */
export type ProofQuestion =
  | { readonly kind: 'findings'; readonly file: FileToJudge }
  | { readonly kind: 'fix'; readonly file: FileToJudge; readonly findings: readonly Finding[] }
  | { readonly kind: 'compare'; readonly before: Content; readonly after: Content; readonly profile: string };

export type ProofAnswer =
  | { readonly kind: 'findings'; readonly findings: readonly Finding[]; readonly total: number }
  /** The text with the findings mended; `null` if nothing could be. */
  | { readonly kind: 'fix'; readonly text: string | null }
  | { readonly kind: 'compare'; readonly comparing: Comparing }
  | { readonly kind: 'failed'; readonly message: string };

// The outcome of a capture: what a crawler would conclude from it. The client classifies responses in the same way (docs/fetching.md).

import { classifyStatus } from '@maycrawl/client/policy';
import { MAX_FILE_BYTES, type Profile } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';
import type { Capture } from '../capture.ts';
import type { BodyKind } from './body-judge.ts';

/** The outcomes. docs/census-tables.md describes them. */
export const OUTCOMES = [
  'rules',
  'empty',
  'page',
  'truncated',
  'redirect',
  'absent',
  'unreachable',
  'not-modified',
  'duplicate',
] as const;
freezeDeep(OUTCOMES);

/** What a response means for the crawlers of the site. docs/census-tables.md describes each outcome. */
export type Outcome = (typeof OUTCOMES)[number];

/** Whether the body of a capture is a robots.txt that can be judged. */
export function hasFile(capture: Capture, profile: Profile): boolean {
  return getOutcomeWithoutFile(capture, profile) === undefined;
}

/** Returns the outcome of a capture. @param kind - of its body, if it has a file. */
export function getOutcome(capture: Capture, profile: Profile, kind: BodyKind | undefined): Outcome {
  return getOutcomeWithoutFile(capture, profile) ?? kind ?? 'truncated';
}

function getOutcomeWithoutFile(capture: Capture, profile: Profile): Outcome | undefined {
  const { kind, status, body, isTruncated, location } = capture;
  if (kind === 'invalid') return 'unreachable';
  if (kind === 'not-modified') return kind;
  const statusClass = status === null ? 'successful' : classifyStatus(status, profile);
  // A redirect without a target is not followed: then there is no file.
  if (statusClass === 'redirect') return location === null ? 'absent' : 'redirect';
  if (statusClass !== 'successful') return statusClass === 'unavailable' ? 'absent' : 'unreachable';
  if (kind === 'duplicate') return kind;
  if (body === null) return 'truncated';
  // What follows the size limit does not matter.
  return isTruncated && body.length <= MAX_FILE_BYTES ? 'truncated' : undefined;
}

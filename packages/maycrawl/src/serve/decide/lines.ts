// Responds to an NDJSON body, one line for each line, in order, while the body arrives. It reads only as fast as the client takes the
// response.
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { timeSlices } from '@maycrawl/client/internal';
import type { Profile } from '@maycrawl/core';
import { isStringList } from '@maycrawl/core/internal';
import { readBlocks, splitLines } from '../../lines/line-reader.ts';
import { readBody } from '../http/body.ts';
import { JsonShape } from '../http/json-shape.ts';
import { findUnknownName } from '../http/known-names.ts';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';
import type { Work } from '../limits/work.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Agents, DecisionRequest, NamedAgent } from './agents.ts';
import type { Decider } from './decider.ts';
import { formatNotDecided } from './decision-text.ts';

/** An invalid line. */
class LineError {
  /** Its response, in JSON. */
  readonly response: string;

  constructor(code: string, message: string) {
    this.response = formatNotDecided(null, null, { code, message });
  }
}

/** Properties of a line. */
const NAMES = ['url', 'agent', 'agents'];
/** Values in the JSON of one line. */
const MAX_VALUES = 1_000;
/** Lines that count as one request against the rate limit. */
export const LINES_PER_REQUEST = 100;

export interface LineOptions {
  readonly decider: Decider;
  readonly agents: Agents;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly profile: Profile;
  /** The crawler of lines without one. */
  readonly agent: NamedAgent | undefined;
}

/**
 * Decides about the lines of a body.
 *
 * @returns pieces of text, each of which has whole lines.
 * @throws the reason of the work's signal when it aborts.
 */
export async function* decideLines(body: Readable, options: LineOptions, work: Work): AsyncGenerator<string> {
  const { limits, decider } = options;
  let count = 0;
  let invalid = 0;
  let refusal: LineError | undefined;
  /** The response to an invalid line may be fifty times as long as the line. */
  const isFaulty = (): boolean => invalid > limits.invalidLines && invalid > count / 2;
  for await (const block of readBlocks(readBody(body, work.signal), limits.lineBytes)) {
    const lines: (DecisionRequest | LineError)[] =
      block === undefined ? [createTooLongError('line-too-long', limits.lineBytes, 'bytes')] : [];
    for (const bytes of block === undefined ? [] : splitLines(block)) {
      if (timeSlices.isUsedUp()) await timeSlices.giveWay(work.signal);
      const text = bytes.toString();
      if (text.trim() === '') continue;
      // A refusal applies to all lines until the next check.
      if (++count % LINES_PER_REQUEST === 0) refusal = checkRate(work);
      const line = refusal ?? readLine(text, bytes, options);
      lines.push(line);
      if (line instanceof LineError || !decider.hasOrigin(line.url)) invalid++;
      if (!isFaulty()) continue;
      lines.push(createFaultyError(invalid));
      break;
    }
    yield* decideBlock(lines, options, work);
    if (isFaulty()) return;
  }
}

/** Counts lines against the rate limit. @returns the error of the line that exceeds it. */
function checkRate({ client }: Work): LineError | undefined {
  try {
    client.countRequests();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return new LineError(error.code, error.message);
    throw error;
  }
}

/** Decides about lines in their order, each as soon as possible. */
async function* decideBlock(
  lines: readonly (DecisionRequest | LineError)[],
  { decider, profile, metrics }: LineOptions,
  work: Work,
): AsyncGenerator<string> {
  const requests = lines.filter((line): line is DecisionRequest => !(line instanceof LineError));
  let at = 0;
  /** Formats the invalid lines before the next valid one. */
  const formatInvalidLines = (): string => {
    let texts = '';
    for (let line = lines[at]; line instanceof LineError; line = lines[++at]) texts += `${line.response}\n`;
    return texts;
  };
  metrics.countRefusal('invalid-line', lines.length - requests.length);
  for await (const responses of decider.decideAll(requests, profile, work)) {
    let texts = '';
    for (const response of responses) {
      texts += `${formatInvalidLines()}${response}\n`;
      at++;
    }
    yield texts;
  }
  const rest = formatInvalidLines();
  if (rest !== '') yield rest;
}

function readLine(text: string, bytes: Uint8Array, options: LineOptions): DecisionRequest | LineError {
  const { limits, agents, agent: defaultAgent } = options;
  // Replacement characters would be another URL.
  if (!isUtf8(bytes)) return new LineError('invalid-json', 'the line is not UTF-8');
  let value: Readonly<Partial<Record<'url' | 'agent' | 'agents' | 'profile', unknown>>> | null;
  try {
    new JsonShape({ depth: limits.jsonDepth, values: MAX_VALUES }).add(bytes);
    value = JSON.parse(text);
  } catch (error) {
    return new LineError('invalid-json', (error as Error).message);
  }
  const { url, agent, agents: tokens, profile } = value ?? {};
  // Ignored, it would be the profile of a wrong verdict.
  if (profile !== undefined)
    return new LineError('invalid-field', 'a line has no "profile": all lines have that of the query');
  // So would be a misspelled crawler, if the query has one.
  const unknown = findUnknownName(value, NAMES, 'property');
  if (unknown !== undefined) return new LineError('invalid-field', unknown.message);
  if (typeof url !== 'string') return new LineError('invalid-field', '"url" must be a string');
  if (url.length > limits.urlChars) return createTooLongError('url-too-long', limits.urlChars, 'characters');
  if (agent !== undefined && tokens !== undefined)
    return new LineError('invalid-field', '"agent" and "agents" exclude each other');
  try {
    if (isStringList(tokens)) return { url, agent: agents.combine(tokens) };
    if (typeof agent === 'string' && agent !== '') return { url, agent: agents.resolve(agent) };
  } catch (error) {
    if (error instanceof Problem) return new LineError(error.code, error.message);
    throw error;
  }
  if (agent === undefined && tokens === undefined && defaultAgent !== undefined)
    return { url, agent: defaultAgent };
  return new LineError(
    'invalid-field',
    'a line needs "agent" (the name of a crawler, in the line or in the query) or "agents" (a list of product tokens)',
  );
}

function createFaultyError(invalid: number): LineError {
  return new LineError(
    'too-many-invalid-lines',
    `${invalid} lines of this body, more than half of it, are invalid or refused: the rest of the body has no responses`,
  );
}

function createTooLongError(code: string, limit: number, unit: string): LineError {
  return new LineError(code, `longer than ${limit} ${unit}`);
}

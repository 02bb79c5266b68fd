/**
 * Questions that come as lines of JSON and are answered a line each, in their order, as they come. No more is read than the other
 * side takes answers.
 *
 * @module
 */
import type { Profile } from '@maycrawl/core';
import { linesOf, readBlocks } from '../lines/line-reader.ts';
import type { Decider, Question } from './decider.ts';
import type { Limits } from './limits.ts';

/** A line that asks nothing. */
class LineError {
  /** What is answered to it, in JSON. */
  readonly answer: string;

  constructor(code: string, message: string) {
    this.answer = JSON.stringify({ url: null, agent: null, allowed: null, error: { code, message } });
  }
}

/**
 * Answers lines.
 *
 * @param agent - the crawler of lines that name none.
 * @returns pieces of text, whole lines each.
 * @throws the signal's reason when the caller gives up.
 */
export async function* answerLines(
  decider: Decider,
  body: AsyncIterable<Uint8Array>,
  agent: string | undefined,
  profile: Profile,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const block of readBlocks(body, limits.lineBytes)) {
    const lines = block === undefined ? [tooLong('line-too-long', limits.lineBytes, 'bytes')] : [];
    for (const line of block === undefined ? [] : linesOf(block)) {
      const text = line.toString();
      if (text.trim() !== '') lines.push(readLine(text, agent, limits));
    }
    yield* answerBlock(decider, lines, profile, signal);
  }
}

/** Answers lines as soon as they and all before them can be answered. */
async function* answerBlock(
  decider: Decider,
  lines: readonly (Question | LineError)[],
  profile: Profile,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const questions = lines.filter((line): line is Question => !(line instanceof LineError));
  let at = 0;
  /** Bad lines up to the next question. */
  const badLines = (): string => {
    let texts = '';
    for (let line = lines[at]; line instanceof LineError; line = lines[++at]) texts += `${line.answer}\n`;
    return texts;
  };
  for await (const answers of decider.decideAll(questions, profile, signal)) {
    let texts = '';
    for (const answer of answers) {
      texts += `${badLines()}${answer}\n`;
      at++;
    }
    yield texts;
  }
  const rest = badLines();
  if (rest !== '') yield rest;
}

function readLine(text: string, usual: string | undefined, limits: Limits): Question | LineError {
  let value: { readonly url?: unknown; readonly agent?: unknown } | null;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return new LineError('invalid-json', (error as Error).message);
  }
  const { url, agent = usual } = value ?? {};
  if (typeof url !== 'string') return new LineError('invalid-field', '"url" is a string');
  if (url.length > limits.urlChars) return tooLong('url-too-long', limits.urlChars, 'characters');
  if (typeof agent !== 'string' || agent === '' || agent.length > limits.agentChars)
    return new LineError('invalid-field', '"agent" is the name of a crawler, in the line or in the query');
  return { url, agent };
}

function tooLong(code: string, limit: number, unit: string): Question | LineError {
  return new LineError(code, `longer than ${limit} ${unit}`);
}

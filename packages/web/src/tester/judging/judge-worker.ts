/**
 * The worker that judges: the matrix, and explanations. It keeps the list of URLs; all else comes with each question.
 *
 * @module
 */
import { parse, type RobotsTxt } from '@maycrawl/core';
import { explain } from './explain.ts';
import { MatrixRun } from './matrix.ts';
import type { FileToJudge, JudgeReply, JudgeRequest, MatrixQuestion } from './question.ts';

/** Milliseconds after which the worker looks for newer questions. */
const SLICE = 25;

let urls: readonly string[] = [];
/** The last question of each slot. */
const turns = new Map<string, number>();

addEventListener('message', ({ data }: MessageEvent<JudgeRequest>) => {
  if (data.kind === 'urls') {
    urls = data.urls;
    return;
  }
  const { slot, turn, question } = data;
  turns.set(slot, turn);
  if (question.kind === 'matrix') void judge(slot, turn, question);
  else reply({ slot, turn, answer: explain(read(question.file), question.crawler, question.url) });
});

async function judge(slot: string, turn: number, { file, crawlers }: MatrixQuestion): Promise<void> {
  const run = new MatrixRun(read(file), urls, crawlers);
  for (;;) {
    const end = performance.now() + SLICE;
    if (run.advance(() => performance.now() > end)) break;
    await new Promise((resolve) => setTimeout(resolve));
    if (turns.get(slot) !== turn) return;
  }
  reply({ slot, turn, answer: run.cells }, [run.cells.buffer]);
}

function read({ content, profile, origin }: FileToJudge): RobotsTxt {
  return parse(content, { profile, ...(origin !== null && { url: `${origin}/robots.txt` }) });
}

function reply(message: JudgeReply, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

/**
 * The worker of the matrix and of explanations. It stores the list of URLs; requests contain everything else.
 *
 * @module
 */
import { parse, type RobotsTxt } from '@maycrawl/core';
import { explain } from './explain.ts';
import { MatrixRun } from './matrix.ts';
import type { FileInput, JudgeMessage, JudgeResponse, MatrixRequest } from './messages.ts';

/** Milliseconds after which the worker checks for newer requests. */
const SLICE = 25;

let urls: readonly string[] = [];
/** The last request of each slot. */
const turns = new Map<string, number>();

addEventListener('message', ({ data }: MessageEvent<JudgeMessage>) => {
  if (data.kind === 'urls') {
    urls = data.urls;
    return;
  }
  const { slot, turn, request } = data;
  turns.set(slot, turn);
  if (request.kind === 'matrix') void evaluate(slot, turn, request);
  else respond({ slot, turn, result: explain(parseFile(request.file), request.crawler, request.url) });
});

async function evaluate(slot: string, turn: number, { file, crawlers }: MatrixRequest): Promise<void> {
  const run = new MatrixRun(parseFile(file), urls, crawlers);
  for (;;) {
    const end = performance.now() + SLICE;
    if (run.advance(() => performance.now() > end)) break;
    await new Promise((resolve) => setTimeout(resolve));
    if (turns.get(slot) !== turn) return;
  }
  respond({ slot, turn, result: run.cells }, [run.cells.buffer]);
}

function parseFile({ content, profile, origin }: FileInput): RobotsTxt {
  return parse(content, { profile, ...(origin !== null && { url: `${origin}/robots.txt` }) });
}

function respond(message: JudgeResponse, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

// The worker of the matrix, of explanations and of preferences. It stores the list of URLs; requests contain everything else.
import { parse, type RobotsTxt } from '@maycrawl/core';
import { explain } from './explain.ts';
import { MatrixRun } from './matrix.ts';
import type { FileInput, JudgeMessage, JudgeRequest, JudgeResponse } from './messages.ts';
import { PreferenceRun, readDetails } from './preferences.ts';

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
  if (data.kind === 'cancel') {
    turns.delete(data.slot);
    return;
  }
  const { slot, turn, request } = data;
  turns.set(slot, turn);
  void evaluate(slot, turn, request);
});

async function evaluate(slot: string, turn: number, request: JudgeRequest): Promise<void> {
  const robots = parseFile(request.file);
  const isObsolete = (): boolean => turns.get(slot) !== turn;
  switch (request.kind) {
    case 'explain':
      respond({ slot, turn, result: explain(robots, request.crawler, request.url) });
      break;
    case 'preference-details': {
      const { sources, crawler, url } = request;
      respond({ slot, turn, result: readDetails(robots, sources, crawler, url) });
      break;
    }
    case 'matrix': {
      const run = new MatrixRun(robots, urls, request.crawlers);
      await runInSlices(run, isObsolete);
      if (!isObsolete()) respond({ slot, turn, result: run.cells }, [run.cells.buffer]);
      break;
    }
    case 'preference-table': {
      const run = new PreferenceRun(robots, request.sources, request.urls, request.crawlers);
      await runInSlices(run, isObsolete, request.time ?? Number.POSITIVE_INFINITY);
      if (!isObsolete()) respond({ slot, turn, result: run.table });
    }
  }
}

interface SlicedRun {
  /** Runs until the time is up. @returns whether it is complete. */
  advance(isTimeUp: () => boolean): boolean;
}

/** Runs to the end, or until the request is obsolete or has used its time. */
async function runInSlices(
  run: SlicedRun,
  isObsolete: () => boolean,
  time: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let used = 0; used < time; ) {
    const start = performance.now();
    if (run.advance(() => performance.now() > start + SLICE)) return;
    used += performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve));
    if (isObsolete()) return;
  }
}

function parseFile({ content, profile, origin }: FileInput): RobotsTxt {
  return parse(content, { profile, ...(origin !== null && { url: `${origin}/robots.txt` }) });
}

function respond(message: JudgeResponse, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

// Progress of long work: a bar on a terminal, a line every ten seconds elsewhere.

import { formatCount } from '../../text/counts.ts';
import { formatDuration } from '../../text/durations.ts';
import { printMessage } from './terminal.ts';

/** Milliseconds between two lines if standard error is not a terminal. */
const INTERVAL_MS = 10_000;
/** Milliseconds before a bar appears. */
const DELAY_MS = 500;

export interface Progress {
  read(bytes: number): void;
  /** Shows the number of results. */
  show(count: number): void;
  finish(): void;
}

interface Bar {
  start(total: number, value: number, payload: object): void;
  update(value: number, payload: object): void;
  stop(): void;
}

/**
 * Creates the progress of long work.
 *
 * @param what - a noun in the plural.
 * @param totalBytes - the length of the input, if it is known. Then the remaining time is estimated.
 */
export async function createProgress(what: string, totalBytes: number | undefined): Promise<Progress> {
  // On the same terminal, a bar would mix with the results.
  const bar = process.stderr.isTTY && !process.stdout.isTTY ? await createBar(totalBytes) : undefined;
  const started = performance.now();
  let bytes = 0;
  let results = 0;
  let shownAt = started;
  let isShown = false;
  const describe = (): string => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001);
    const rate = `${formatCount(results)} ${what}, ${formatCount(Math.round(results / seconds))} a second`;
    if (totalBytes === undefined || bytes === 0 || bytes >= totalBytes) return rate;
    const left = (seconds * (totalBytes - bytes)) / bytes;
    return `${rate}, ${Math.floor((100 * bytes) / totalBytes)} %, about ${formatDuration(1_000 * Math.ceil(left))} left`;
  };
  return {
    read(count) {
      bytes = count;
    },
    show(count) {
      results = count;
      const now = performance.now();
      if (bar === undefined) {
        if (now - shownAt < INTERVAL_MS) return;
        shownAt = now;
        printMessage(describe());
      } else if (isShown) {
        bar.update(bytes, { text: describe() });
      } else if (now - started > DELAY_MS) {
        isShown = true;
        bar.start(totalBytes ?? 0, bytes, { text: describe() });
      }
    },
    finish() {
      if (!isShown) return;
      bar?.update(bytes, { text: describe() });
      bar?.stop();
    },
  };
}

async function createBar(totalBytes: number | undefined): Promise<Bar> {
  const { default: progress } = await import('cli-progress');
  const format = totalBytes === undefined ? '{text}' : '{bar} {text}';
  return new progress.SingleBar(
    { format, barsize: 24, fps: 5, stream: process.stderr, hideCursor: true },
    progress.Presets.shades_classic,
  );
}

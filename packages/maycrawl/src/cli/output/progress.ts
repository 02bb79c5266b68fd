/**
 * How far long work has come: a bar on a terminal, a plain line now and then elsewhere.
 *
 * @module
 */

import type { Counts } from '../../batch/result-lines.ts';
import { formatCount } from '../../text/counts.ts';
import { printMessage } from './terminal.ts';

/** Elsewhere than on a terminal something is said so often. */
const INTERVAL_MS = 10_000;
/** On a terminal nothing is shown of work that takes no longer than this. */
const DELAY_MS = 500;

/** Shows how far work has come. */
export interface Progress {
  /** So many bytes have been read. */
  read(bytes: number): void;
  /** So many lines have been answered. */
  show(totals: Counts): void;
  /** Nothing more comes. */
  finish(): void;
}

/** What a progress bar must be able to do. */
interface Bar {
  start(total: number, value: number, payload: object): void;
  update(value: number, payload: object): void;
  stop(): void;
}

/**
 * Progress of work on lines.
 *
 * @param what - what the lines are, in the plural.
 * @param totalBytes - how long the input is, if that is known: then the rest of the time is estimated.
 */
export async function createProgress(what: string, totalBytes: number | undefined): Promise<Progress> {
  // Where answers go to the same terminal, a bar would be among them.
  const bar = process.stderr.isTTY && !process.stdout.isTTY ? await createBar(totalBytes) : undefined;
  const started = performance.now();
  let bytes = 0;
  let lines = 0;
  let said = started;
  let isShown = false;
  const describe = (): string => {
    const seconds = Math.max((performance.now() - started) / 1000, 0.001);
    const rate = `${formatCount(lines)} ${what}, ${formatCount(Math.round(lines / seconds))} a second`;
    if (totalBytes === undefined || bytes === 0 || bytes >= totalBytes) return rate;
    const left = (seconds * (totalBytes - bytes)) / bytes;
    return `${rate}, ${Math.floor((100 * bytes) / totalBytes)} %, about ${formatSeconds(left)} left`;
  };
  return {
    read(count) {
      bytes = count;
    },
    show({ allowed, disallowed, failed }) {
      lines = allowed + disallowed + failed;
      const now = performance.now();
      if (bar === undefined) {
        if (now - said < INTERVAL_MS) return;
        said = now;
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

/** A time in words, whole seconds up. */
export function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

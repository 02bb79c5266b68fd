/**
 * How far an audit has come: a line that changes on a terminal, a plain line now and then elsewhere.
 *
 * @module
 */

import type { Counts } from '../../../audit/run/run-store.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatSeconds } from '../../output/progress.ts';
import { printMessage } from '../../output/terminal.ts';

/** Milliseconds between two lines: on a terminal, and elsewhere. */
const [ON_TERMINAL, ELSEWHERE] = [200, 10_000] as const;
/** How far back the rate is taken, in milliseconds. */
const WINDOW = 10_000;

/** Tells how far an audit has come. */
export class AuditProgress {
  readonly #isTerminal: boolean = process.stderr.isTTY === true;
  #shownAt: number = performance.now() - (this.#isTerminal ? ON_TERMINAL : 0);
  /** Pages at moments of the last seconds. */
  #marks: { readonly at: number; readonly asked: number }[] = [];
  #isOpen = false;

  /** So much of the crawl is done. */
  show(counts: Counts): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? ON_TERMINAL : ELSEWHERE)) return;
    const { asked, blocked, waiting } = counts;
    this.#marks = [...this.#marks.filter(({ at }) => now - at < WINDOW), { at: now, asked }];
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const rate = first === undefined || seconds === 0 ? 0 : (asked - first.asked) / seconds;
    const parts = [
      `${formatCount(asked)} pages`,
      `${formatCount(blocked)} blocked`,
      `${formatCount(waiting)} waiting`,
    ];
    if (rate > 0) {
      parts.push(`${formatCount(Math.round(rate))} a second`);
      // What waits names more, so it can only be said how long it takes at least.
      parts.push(`at least ${formatSeconds(waiting / rate)} left`);
    }
    this.#printMessage(now, parts.join(', '));
  }

  /** So many URLs were judged. */
  judged(count: number): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? ON_TERMINAL : ELSEWHERE)) return;
    this.#printMessage(now, `${formatCount(count)} URLs judged`);
  }

  /** What is told next has a line of its own. */
  end(): void {
    if (this.#isOpen) process.stderr.write('\r\x1b[K');
    this.#isOpen = false;
  }

  #printMessage(now: number, text: string): void {
    this.#shownAt = now;
    if (!this.#isTerminal) {
      printMessage(text);
      return;
    }
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    this.#isOpen = true;
  }
}

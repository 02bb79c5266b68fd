// Progress of an audit: one line on a terminal, a line every ten seconds elsewhere.

import type { Counts } from '../../../audit/run/records/url.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatDuration } from '../../../text/durations.ts';
import { printMessage } from '../../output/terminal.ts';

/** Milliseconds between two lines: on a terminal, and elsewhere. */
const [ON_TERMINAL, ELSEWHERE] = [200, 10_000] as const;
/** Milliseconds over which the rate is measured. */
const WINDOW = 10_000;

export class AuditProgress {
  readonly #isTerminal: boolean = process.stderr.isTTY === true;
  #shownAt: number = performance.now() - (this.#isTerminal ? ON_TERMINAL : 0);
  /** Numbers of pages in the last seconds. */
  #marks: { readonly at: number; readonly fetched: number }[] = [];
  #isOpen = false;

  /** Shows the state of the crawl. */
  show(counts: Counts): void {
    if (!this.#isDue()) return;
    const now = performance.now();
    const { fetched, blocked, waiting } = counts;
    this.#marks = [...this.#marks.filter(({ at }) => now - at < WINDOW), { at: now, fetched }];
    const [first] = this.#marks;
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const rate = first === undefined || seconds === 0 ? 0 : (fetched - first.fetched) / seconds;
    const parts = [
      formatCount(fetched, 'page'),
      `${formatCount(blocked)} blocked`,
      `${formatCount(waiting)} waiting`,
    ];
    if (rate > 0) {
      parts.push(`${formatCount(Math.round(rate))} a second`);
      // Waiting pages link to more pages, so this is a lower bound.
      parts.push(`at least ${formatDuration(1_000 * Math.ceil(waiting / rate))} left`);
    }
    this.#print(parts.join(', '));
  }

  /** Shows the number of rendered pages. @param total - the number of those to be rendered so far. */
  showRendered(count: number, total: number): void {
    if (this.#isDue()) this.#print(`${formatCount(count)} of ${formatCount(total, 'page')} rendered`);
  }

  showJudged(count: number): void {
    if (this.#isDue()) this.#print(`${formatCount(count, 'URL')} judged`);
  }

  /** Ends the line. */
  end(): void {
    if (this.#isOpen) process.stderr.write('\r\x1b[K');
    this.#isOpen = false;
  }

  #isDue(): boolean {
    return performance.now() - this.#shownAt >= (this.#isTerminal ? ON_TERMINAL : ELSEWHERE);
  }

  #print(text: string): void {
    this.#shownAt = performance.now();
    if (!this.#isTerminal) {
      printMessage(text);
      return;
    }
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    this.#isOpen = true;
  }
}

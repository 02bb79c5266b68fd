/**
 * Lines of the robots.txt files of a run, to be quoted.
 *
 * @module
 */
import { parse } from '@maycrawl/core';
import { originOf } from '../../client/origin.ts';
import type { RunStore } from '../run/run-store.ts';

/** Characters of a line that are quoted. */
const MAX_CHARS = 300;
/** Sites whose lines are kept. */
const MAX_SITES = 1_000;

/** Quotes lines. */
export class RobotsLines {
  readonly #run: RunStore;
  readonly #instead: ReadonlyMap<number, string> | null;
  readonly #sites: Map<string, ReadonlyMap<number, string>> = new Map();

  /** @param instead - a file that is quoted for every site. */
  constructor(run: RunStore, instead: Uint8Array | null = null) {
    this.#run = run;
    this.#instead = instead === null ? null : linesOf(instead);
  }

  /** A line, from 1, of the file that speaks for a URL; `null` for line 0, which is none. */
  async line(url: string, line: number): Promise<string | null> {
    if (line === 0) return null;
    return (this.#instead ?? (await this.#linesFor(originOf(url)))).get(line) ?? null;
  }

  async #linesFor(origin: string): Promise<ReadonlyMap<number, string>> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const body = (await this.#run.robots(origin))?.body ?? null;
    const lines = body === null ? new Map<number, string>() : linesOf(body);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, lines);
    return lines;
  }
}

function linesOf(body: Uint8Array): Map<number, string> {
  const robots = parse(body);
  const lines = new Map<number, string>();
  const decoder = new TextDecoder();
  for (const scanner = robots.scan(); scanner.next(); ) {
    if (scanner.lineEnd === scanner.lineStart) continue;
    const end = Math.min(scanner.lineEnd, scanner.lineStart + MAX_CHARS * 4);
    const text = decoder.decode(robots.bytes.subarray(scanner.lineStart, end)).trim();
    lines.set(scanner.line, text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
  }
  return lines;
}

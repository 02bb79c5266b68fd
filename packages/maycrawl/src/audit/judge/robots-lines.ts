// Lines of the robots.txt files of a run, for quotations.

import { parse } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { getOrigin } from '@maycrawl/core/url';
import type { RunStore } from '../run/run-store.ts';

/** Characters of a quoted line. */
const MAX_CHARS = 300;
/** Sites whose lines are cached. */
const MAX_SITES = 1_000;

export class RobotsLines {
  readonly #run: RunStore;
  readonly #instead: ReadonlyMap<number, string> | null;
  readonly #sites: Map<string, ReadonlyMap<number, string>> = new Map();

  /** @param instead - a file that replaces those of all sites. */
  constructor(run: RunStore, instead: Uint8Array | null = null) {
    this.#run = run;
    this.#instead = instead === null ? null : readLines(instead);
  }

  /** A line, from 1, of the file of a URL; `null` for line 0. */
  line(url: string, line: number): string | null {
    if (line === 0) return null;
    return (this.#instead ?? this.#linesFor(getOrigin(url))).get(line) ?? null;
  }

  #linesFor(origin: string): ReadonlyMap<number, string> {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const body = this.#run.robots.get(origin)?.body ?? null;
    const lines = body === null ? new Map<number, string>() : readLines(body);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, lines);
    return lines;
  }
}

function readLines(body: Uint8Array): Map<number, string> {
  const lines = new Map<number, string>();
  const decoder = new TextDecoder();
  let number = 0;
  for (const line of parse(body).lines()) {
    number++;
    if (line.length === 0) continue;
    const text = decoder.decode(line.subarray(0, MAX_CHARS * 4)).trim();
    lines.set(number, truncate(text, MAX_CHARS));
  }
  return lines;
}

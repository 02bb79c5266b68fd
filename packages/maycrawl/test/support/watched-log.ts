// An access log that is written and rotated in tests, and a naive count of its requests.
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Returns a line of the combined format. @param time - milliseconds since 1970. */
export function formatLogLine(time: number, crawler: string, target: string, address = '192.0.2.1'): string {
  const [, day, month, year, clock] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(time).toUTCString()) ?? [];
  return `${address} - - [${day}/${month}/${year}:${clock} +0000] "GET ${target} HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; ${crawler}/1.0; +https://bots.example/)"\n`;
}

/** A log, written by the program that rotates it, too. */
export class WrittenLog {
  readonly path: string;
  /** Requests by crawler. */
  readonly counts: Map<string, number> = new Map();
  #rotations = 0;
  #serial = 0;

  constructor(path: string) {
    this.path = path;
    writeFileSync(path, '');
  }

  /** Appends requests, each with a URL of its own. */
  append(crawler: string, time: number, requests = 1): void {
    let text = '';
    for (let each = 0; each < requests; each++) text += formatLogLine(time, crawler, `/${this.#serial++}`);
    appendFileSync(this.path, text);
    this.counts.set(crawler, (this.counts.get(crawler) ?? 0) + requests);
  }

  /** Renames the files, each to the next number, and begins a new one. */
  rename(): void {
    this.#shift();
    renameSync(this.path, `${this.path}.1`);
    writeFileSync(this.path, '');
  }

  /** Copies the log, and empties it. */
  copyAndTruncate(): void {
    this.#shift();
    copyFileSync(this.path, `${this.path}.1`);
    truncateSync(this.path);
  }

  /** Compresses the newest file that is not compressed, as gzip does: the time of its last change stays. */
  compress(number = this.#findPlain()): void {
    const path = `${this.path}.${number}`;
    if (!existsSync(path)) return;
    const { atime, mtimeNs } = statSync(path, { bigint: true });
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
    // Node.js sets times as numbers of seconds, whose error is less than a microsecond: the copy must not be older.
    utimesSync(`${path}.gz`, atime, Number(mtimeNs + 1_000n) / 1e9);
    unlinkSync(path);
  }

  #findPlain(): number {
    for (let number = 1; number <= this.#rotations; number++)
      if (existsSync(`${this.path}.${number}`)) return number;
    return 0;
  }

  #shift(): void {
    for (let number = this.#rotations++; number > 0; number--)
      for (const end of ['', '.gz'])
        if (existsSync(`${this.path}.${number}${end}`))
          renameSync(`${this.path}.${number}${end}`, `${this.path}.${number + 1}${end}`);
  }
}

// Reads lines of logs in tests.
import { resolveAgent } from '@maycrawl/core';
import { findFormat } from '../../src/logs/formats/find-format.ts';
import type { LineResult, LogFormat, ReaderOptions } from '../../src/logs/formats/log-format.ts';

/** Recognises crawlers as the program does. */
export function recognizeCrawler(userAgent: string): string | undefined {
  try {
    return resolveAgent(userAgent).name;
  } catch {
    return undefined;
  }
}

export const OPTIONS: ReaderOptions = { recognizeCrawler };

/** Reads lines, given as byte strings or bytes, with one reader. */
export function readLines(
  format: string | LogFormat,
  lines: readonly (string | Buffer)[],
  options: Partial<ReaderOptions> = {},
): LineResult[] {
  const found = typeof format === 'string' ? findFormat(format) : format;
  const reader = found.createReader({ ...OPTIONS, ...options });
  // The lines have other bytes around them, as those in a block have.
  return lines.map((line) => {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line;
    const block = Buffer.concat([Buffer.from('"before" \n'), bytes, Buffer.from('\n"after" 200')]);
    return reader.read(block, 10, 10 + bytes.length);
  });
}

/** Reads one line. */
export function readLine(
  format: string | LogFormat,
  line: string | Buffer,
  options: Partial<ReaderOptions> = {},
): LineResult {
  return readLines(format, [line], options)[0];
}

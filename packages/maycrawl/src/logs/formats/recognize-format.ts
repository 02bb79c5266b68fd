// Recognition of a format by the first lines of a file.
import { FORMATS } from './find-format.ts';
import type { LogFormat } from './log-format.ts';

/** Lines that are read to recognise a format. */
const MAX_LINES = 100;

/**
 * Recognises the format of lines: the one that reads most of them, and at least half of those that are not empty or header lines.
 *
 * @param lines - the first lines of a file, without their line ends. Up to 100 are read.
 * @returns `undefined` if no format reads half of the lines.
 */
export function recognizeFormat(lines: readonly Buffer[]): LogFormat | undefined {
  const read = lines.slice(0, MAX_LINES);
  let best: LogFormat | undefined;
  let most = 0;
  for (const format of FORMATS) {
    const { parsed, unparsed, hasHeader } = countLines(format, read);
    if (parsed > most && parsed >= unparsed) [best, most] = [format, parsed];
    // A file of a server that had no requests.
    if (parsed + unparsed === 0 && hasHeader) best ??= format;
  }
  return best;
}

interface Counts {
  readonly parsed: number;
  readonly unparsed: number;
  readonly hasHeader: boolean;
}

function countLines(format: LogFormat, lines: readonly Buffer[]): Counts {
  const reader = format.createReader({ recognizeCrawler: () => undefined });
  let [parsed, unparsed] = [0, 0];
  for (const line of lines) {
    const result = reader.read(line, 0, line.length);
    if (result === undefined) unparsed++;
    else if (result !== 'skipped') parsed++;
  }
  return { parsed, unparsed, hasHeader: reader.header !== '' };
}

import { describe, expect, it } from 'vitest';
import { recognizeFormat } from '../../../src/logs/formats/recognize-format.ts';
import { readLines } from '../../support/log-reading.ts';
import { JSON_LINES, PATTERN_LINES } from './documented-json.ts';
import { TEXT_LINES } from './documented-lines.ts';

const DOCUMENTED = [...TEXT_LINES, ...JSON_LINES, ...PATTERN_LINES];

describe('documented lines', () => {
  it.each(DOCUMENTED)('$title: the line becomes the request', ({ format, lines, expected }) => {
    const results = readLines(format, lines);
    expect(results.at(-1)).toEqual(expected);
    expect(results.slice(0, -1)).toEqual(lines.slice(1).map(() => 'skipped'));
  });

  it.each(DOCUMENTED.filter(({ isRecognized }) => isRecognized !== false))(
    '$title: the format is recognised',
    ({ format, lines }) => {
      expect(recognizeFormat(lines.map((line) => Buffer.from(line)))?.name).toBe(format);
    },
  );

  it.each(DOCUMENTED)('$title: without a crawler, the line is one of a visitor', ({ format, lines }) => {
    expect(readLines(format, lines, { recognizeCrawler: () => undefined }).at(-1)).toBe('visitor');
  });
});

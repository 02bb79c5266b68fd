import { describe, expect, it } from 'vitest';
import { findFormat } from '../../../src/logs/formats/find-format.ts';
import type { LineResult } from '../../../src/logs/formats/log-format.ts';
import { recognizeFormat } from '../../../src/logs/formats/recognize-format.ts';
import { readLines, recognizeCrawler } from '../../support/log-reading.ts';
import { createRequests } from '../../support/log-requests.ts';
import { type SentRequest, WRITERS } from '../../support/log-writer.ts';

const REQUESTS = createRequests(10_000, 20_261_128);
const crawlers = new Map(REQUESTS.map(({ userAgent }) => [userAgent, getCrawler(userAgent)]));

function getCrawler(userAgent: string): string | undefined {
  return userAgent === '-' ? undefined : recognizeCrawler(Buffer.from(userAgent, 'latin1').toString());
}

function toResult(request: SentRequest, hasHost: boolean): LineResult {
  const crawler = crawlers.get(request.userAgent);
  if (crawler === undefined) return 'visitor';
  return {
    ...request,
    host: hasHost ? request.host : null,
    target: request.target.replaceAll(
      /[\u0080-\u00ff]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
    userAgent: Buffer.from(request.userAgent, 'latin1').toString(),
    crawler,
    signature: null,
  };
}

describe.each(Object.entries(WRITERS))('10,000 requests in the format %s', (name, writer) => {
  const { has } = findFormat(name);
  const lines = [...writer.header, ...REQUESTS.map((request) => writer.write(request))].map((line) =>
    Buffer.from(line, 'latin1'),
  );

  it('are the requests that were written', () => {
    const results = readLines(name, lines).slice(writer.header.length);
    const wrong = results.findIndex((result, index) => {
      const expected = toResult(REQUESTS[index] as SentRequest, has.host);
      return JSON.stringify(result) !== JSON.stringify(sortLike(expected));
    });
    if (wrong >= 0)
      expect({ line: lines[wrong + writer.header.length]?.toString(), result: results[wrong] }).toEqual({
        line: lines[wrong + writer.header.length]?.toString(),
        result: toResult(REQUESTS[wrong] as SentRequest, has.host),
      });
    expect(wrong).toBe(-1);
  });

  it.runIf(/^[a-z\d-]+$/.test(name))('are recognised, also with garbage among them', () => {
    const garbage = ['', '#', '{"a":1}', 'GET / HTTP/1.1', '\u0016\u0003\u0001', '-', '"', '#Remark: x'];
    const mixed = lines
      .slice(0, 60)
      .flatMap((line, index) =>
        index % 3 === 0 && index >= writer.header.length
          ? [line, Buffer.from(garbage[(index / 3) % garbage.length] as string)]
          : [line],
      );
    expect(recognizeFormat(mixed)?.name).toBe(name);
  });
});

/** Properties in the order of the readers' results. */
function sortLike(result: LineResult): LineResult {
  if (typeof result !== 'object') return result;
  const { time, host, method, target, status, bytes, crawler, userAgent, address, signature } = result;
  return { time, host, method, target, status, bytes, crawler, userAgent, address, signature };
}

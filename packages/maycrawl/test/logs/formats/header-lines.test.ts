import { describe, expect, it } from 'vitest';
import { findFormat } from '../../../src/logs/formats/find-format.ts';
import type { LogRequest } from '../../../src/logs/request.ts';
import { OPTIONS } from '../../support/log-reading.ts';

const FIRST = '#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n';
const SECOND = '#Fields: cs(User-Agent) sc-status cs-uri-stem cs-method c-ip time date\r\n';
const A = '2026-11-28 16:40:03 203.0.113.7 GET /a 200 GPTBot/1.2\n';
const B = 'GPTBot/1.2 200 /b GET 203.0.113.7 16:40:04 2026-11-28\r\n';

function readTargets(text: string, header: string): string[] {
  const reader = findFormat('w3c').createReader(OPTIONS);
  reader.header = header;
  const block = Buffer.from(text);
  const targets: string[] = [];
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf('\n', start);
    const result = reader.read(block, start, end);
    if (result !== 'skipped') targets.push((result as LogRequest | undefined)?.target ?? 'unparsed');
    start = end + 1;
  }
  return targets;
}

describe('header lines', () => {
  it('apply until the next ones of the file', () => {
    expect(readTargets(FIRST + A + SECOND + B + FIRST + A, '')).toEqual(['/a', '/b', '/a']);
  });

  it('apply to a later block of the file, which another thread reads', () => {
    const format = findFormat('w3c');
    const afterFirst = format.getHeaderAfter(Buffer.from(`#Software: x\n${FIRST}${A}`), '');
    const afterSecond = format.getHeaderAfter(Buffer.from(A + SECOND + B), structuredClone(afterFirst));
    expect(readTargets(A, afterFirst)).toEqual(['/a']);
    expect(readTargets(A, afterSecond)).toEqual(['unparsed']);
    expect(readTargets(B, afterSecond)).toEqual(['/b']);
    expect(format.getHeaderAfter(Buffer.from(B), afterSecond)).toBe(afterSecond);
  });

  it('are not mistaken for a URL that contains their name', () => {
    const format = findFormat('w3c');
    const header = format.getHeaderAfter(Buffer.from(FIRST + A), '');
    expect(format.getHeaderAfter(Buffer.from(A.replace('/a', '/#Fields:')), header)).toBe(header);
  });

  it('that name no fields of requests make the lines unreadable', () => {
    expect(readTargets(`#Fields: __proto__ constructor x\n${A}`, '')).toEqual(['unparsed']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { findFormat } from '../../../src/logs/formats/find-format.ts';
import type { LineResult } from '../../../src/logs/formats/log-format.ts';
import type { LogRequest } from '../../../src/logs/request.ts';
import { escapeNginx } from '../../support/log-escapes.ts';
import { readLine } from '../../support/log-reading.ts';
import { formatClf } from '../../support/log-writer.ts';

const PARAMETERS = {
  numRuns: getFuzzRuns(1_000),
};
const recognizeCrawler = (header: string): string | undefined =>
  header.includes('bot') ? header.slice(0, 3) : undefined;

const COMBINED =
  /^(\S+) \S+ .*? \[(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+|-) "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"(?: .*)?$/;

/** A reader with a regular expression, and the runtime's parser of dates. */
function readNaively(line: string): LineResult {
  const match = COMBINED.exec(line);
  if (match === null) return undefined;
  const [
    ,
    address,
    day,
    month,
    year,
    hour,
    minute,
    second,
    sign,
    zoneHour,
    zoneMinute,
    request,
    status,
    size,
  ] = match as unknown as string[];
  const time = Date.parse(
    `${day} ${month} ${year} ${hour}:${minute}:${second} GMT${sign}${zoneHour}${zoneMinute}`,
  );
  const userAgent = decodeEscapes(match[14] as string);
  const crawler = userAgent === '-' || userAgent === '' ? undefined : recognizeCrawler(userAgent);
  if (crawler === undefined) return 'visitor';
  const [method = '', target = ''] = decodeEscapes(request as string).split(' ');
  return {
    ...{ time, host: null, method, target, status: Number(status), bytes: size === '-' ? 0 : Number(size) },
    ...{ crawler, userAgent, address: address as string, signature: null },
  };
}

function decodeEscapes(text: string): string {
  return text.replace(/\\x(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

const printable = fc.string({ unit: fc.constantFrom(...' !"#[]\\ab/?&=-+:;()<>'), maxLength: 12 });
const target = printable.map((text) => `/${text.replaceAll(' ', '%20')}`);
const address = fc.oneof(fc.ipV4(), fc.constantFrom('2001:db8::1', '::1'));
const time = fc.integer({ min: 100_000, max: 4_102_444_800 }).map((seconds) => seconds * 1000);
const request = fc.record({
  address,
  time,
  zone: fc.integer({ min: -12, max: 14 }),
  method: fc.constantFrom('GET', 'HEAD', 'M-SEARCH'),
  target,
  status: fc.integer({ min: 100, max: 599 }),
  bytes: fc.nat(),
  userAgent: fc.oneof(
    printable,
    printable.map((text) => `bot${text}`),
  ),
  user: fc.constantFrom('-', 'frank', 'a b', '[x]', 'a [b] [', 'x ['),
});

describe('a line of the combined log format', () => {
  it('is read as a naive reader reads it', () => {
    fc.assert(
      fc.property(request, fc.constantFrom('', ' "-"', ' 17 "x" 3ms', 'x'), (fields, rest) => {
        const { address, user, time, zone, method, target, status, bytes, userAgent } = fields;
        const size = bytes % 7 === 0 ? '-' : bytes;
        const line = `${address} - ${user} [${formatClf(time, zone)}] "${escapeNginx(`${method} ${target} HTTP/1.1`)}" ${status} ${size} "${escapeNginx(userAgent)}" "${escapeNginx(userAgent)}"${rest}`;
        expect(readLine('combined', line, { recognizeCrawler })).toEqual(readNaively(line));
      }),
      PARAMETERS,
    );
  });

  it('is read the same at any position in a block, after any other lines', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 2, maxLength: 8 }), fc.nat(20), (requests, offset) => {
        const lines = requests.map(
          ({ address, time, target, userAgent }) =>
            `${address} - - [${formatClf(time - (time % 60_000), 0)}] "GET ${escapeNginx(target)} HTTP/1.1" 200 1 "-" "${escapeNginx(userAgent)}"`,
        );
        const block = Buffer.from(`${'x'.repeat(offset)}${lines.join('\n')}\n`).subarray(offset);
        const reader = findFormat('combined').createReader({ recognizeCrawler });
        let start = 0;
        for (const line of lines) {
          expect(reader.read(block, start, start + line.length)).toEqual(
            readLine('combined', line, { recognizeCrawler }),
          );
          start += line.length + 1;
        }
      }),
      PARAMETERS,
    );
  });
});

/** Variables of nginx with their values, and the part of the request that each says. */
const VARIABLES: Readonly<Record<string, (request: Fields) => readonly [string, Partial<LogRequest>]>> = {
  $remote_addr: ({ address }) => [address, { address }],
  $request_method: ({ method }) => [method, { method }],
  $status: ({ status }) => [String(status), { status }],
  $body_bytes_sent: ({ bytes }) => [String(bytes), { bytes }],
  $host: () => ['shop.example', { host: 'shop.example' }],
  $request_id: () => ['0a1b2c', {}],
  $upstream_addr: () => ['-', {}],
};
interface Fields {
  readonly address: string;
  readonly method: string;
  readonly status: number;
  readonly bytes: number;
}
const TIMES: Readonly<Record<string, (time: number) => string>> = {
  $time_local: (value) => formatClf(value, -3),
  $time_iso8601: (value) => new Date(value).toISOString().replace('.000Z', '+00:00'),
  $msec: (value) => `${value / 1000}.000`,
};

describe('a random pattern of nginx', () => {
  it('reads the requests that it writes', () => {
    const names = fc.shuffledSubarray(Object.keys(VARIABLES));
    const separators = fc.array(fc.constantFrom(' ', '\t', ' | ', '" "', '"; "', ' [x] '), {
      minLength: 12,
      maxLength: 12,
    });
    const times = fc.constantFrom(...Object.keys(TIMES));
    fc.assert(
      fc.property(names, separators, times, fc.nat(), request, (variables, between, clock, at, fields) => {
        const header = `bot${fields.userAgent.replaceAll(/[[\]|;]/g, '')}`;
        const agent = '"$http_user_agent"';
        const all: string[] = [...variables, '"$request_uri"', agent];
        all.splice(at % all.length, 0, clock);
        const pattern = all
          .map((name, index) => name + (index < all.length - 1 ? between[index] : ''))
          .join('');
        const expected: Partial<LogRequest>[] = [{ time: fields.time, userAgent: header }];
        const values = all.map((name) => {
          if (name === clock) return TIMES[clock]?.(fields.time);
          if (name === agent) return `"${escapeNginx(header)}"`;
          if (name === '"$request_uri"') return `"${escapeNginx(fields.target)}"`;
          const [value, says] = VARIABLES[name]?.(fields) ?? ['', {}];
          expected.push(says);
          return value;
        });
        const line = values.map(
          (value, index) => value + (index < all.length - 1 ? (between[index] ?? '') : ''),
        );
        const result = readLine(`'${pattern}'`, line.join(''), { recognizeCrawler });
        expect(result).toMatchObject({ target: fields.target, ...Object.assign({}, ...expected) });
      }),
      PARAMETERS,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { toAddress } from '../../../src/logs/formats/values/address.ts';
import { CrawlerCache } from '../../../src/logs/formats/values/crawler-cache.ts';
import { toHost } from '../../../src/logs/formats/values/host.ts';
import { CLF_TIME, ISO_TIME } from '../../../src/logs/formats/values/time-format.ts';
import { TimeParser } from '../../../src/logs/formats/values/time-parser.ts';
import { TimeValueReader } from '../../../src/logs/formats/values/time-value.ts';

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0', '203.0.113.0'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['"[2001:db8::7]:4711"', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::1', '::1'],
  ])('%s is %s', (text, expected) => {
    expect(toAddress(text)).toBe(expected);
  });

  it.each([
    ...['-', '', 'crawl.example', '203.0.113.x', '203.0.113', '203.0.113.256', '203.0.113.07', '1', '0x7f.1'],
    ...['a1b2c3d4e5f60718', '2001:db8::g', 'unix:', 'unknown', '203.0.113.7:x', '[2001:db8::7', '1.2.3.4.5'],
    ...['::'.repeat(500), '203.0.113.7, 203.0.113.8', '0.0.0.0', '0.0.0.0:80', '::', '::ffff:0.0.0.0'],
  ])('"%s" is none', (text) => {
    expect(toAddress(text)).toBeUndefined();
  });
});

describe('the host of a request', () => {
  it.each([
    ['Shop.Example', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['shop.example:80', 'shop.example'],
    ['shop.example:443', 'shop.example'],
    ['shop.example.:8443', 'shop.example:8443'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]:8080'],
    ['[::1]', '[::1]'],
    ['my_shop.example', 'my_shop.example'],
  ])('%s is %s', (text, expected) => {
    expect(toHost(text)).toBe(expected);
  });

  it.each([
    '-',
    '_',
    '',
    '*',
    'a b',
    'a/b',
    'shop.example:http',
    '\u00fc.example',
    '2001:db8::1',
    'a'.repeat(256),
  ])('"%s" is none', (text) => {
    expect(toHost(text)).toBeUndefined();
  });

  it('has the port that the log has apart, unless it is a default one', () => {
    expect([toHost('a.example', '8080'), toHost('a.example', '443'), toHost('a.example:81', '8080')]).toEqual(
      ['a.example:8080', 'a.example', 'a.example:81'],
    );
  });
});

function parse(pattern: string, text: string): string | undefined {
  const parser = new TimeParser(pattern);
  const bytes = Buffer.from(text);
  // Twice, because the second time is a cached one.
  parser.parse(bytes, 0, bytes.length);
  return parser.parse(bytes, 0, bytes.length) === bytes.length
    ? new Date(parser.value).toISOString()
    : undefined;
}

describe('a time', () => {
  it.each([
    [CLF_TIME, '28/Nov/2026:18:40:03 +0200', '2026-11-28T16:40:03.000Z'],
    [CLF_TIME, '01/Jan/2027:00:30:00 +0545', '2026-12-31T18:45:00.000Z'],
    [CLF_TIME, '29/Feb/2028:23:59:59 -0330', '2028-03-01T03:29:59.000Z'],
    [CLF_TIME, '31/Dec/2016:23:59:60 +0000', '2017-01-01T00:00:00.000Z'],
    [ISO_TIME, '2026-11-28T18:40:03+02:00', '2026-11-28T16:40:03.000Z'],
    [ISO_TIME, '2026-11-28T16:40:03.9999999Z', '2026-11-28T16:40:03.999Z'],
    [ISO_TIME, '2026-11-28T16:40:03,5-0100', '2026-11-28T17:40:03.500Z'],
    ['%s%f', '1795884003.009', '2026-11-28T16:40:03.009Z'],
    ['usec', '1795884003009999', '2026-11-28T16:40:03.009Z'],
    ['%d.%m.%y %R', '28.11.26 16:40', '2026-11-28T16:40:00.000Z'],
    ['%I:%M %p, %e %b %Y', '12:05 AM,  8 Nov 2026', '2026-11-08T00:05:00.000Z'],
    ['%I:%M %p, %e %b %Y', '12:05 pm, 8 nov 2026', '2026-11-08T12:05:00.000Z'],
  ])('of the pattern %s: %s is %s', (pattern, text, expected) => {
    expect(parse(pattern, text)).toBe(expected);
  });

  it.each([
    [CLF_TIME, '29/Feb/2026:23:59:59 +0000'],
    [CLF_TIME, '31/Apr/2026:23:59:59 +0000'],
    [CLF_TIME, '00/Apr/2026:23:59:59 +0000'],
    [CLF_TIME, '28/Nov/2026:18:60:03 +0200'],
    [CLF_TIME, '28/Nov/2026:18:40:61 +0200'],
    [CLF_TIME, '28/Nov/26:18:40:03 +0200'],
    [ISO_TIME, '2026-13-01T00:00:00Z'],
    [ISO_TIME, '2026-11-28T16:40:03.Z'],
    ['%I:%M %p, %F', '13:05 AM, 2026-11-28'],
  ])('of the pattern %s: %s is none', (pattern, text) => {
    expect(parse(pattern, text)).toBeUndefined();
  });

  it('is not taken from the cache if its text goes on', () => {
    const parser = new TimeParser('%F %T%f');
    for (const [text, expected] of [
      ['2026-11-28 16:40:03', 3_000],
      ['2026-11-28 16:40:03.5', 3_500],
      ['2026-11-28 16:40:03', 3_000],
    ] as const) {
      const bytes = Buffer.from(`${text}|`);
      expect(parser.parse(bytes, 0, bytes.length)).toBe(text.length);
      expect(parser.value % 60_000).toBe(expected);
    }
  });

  it.each([
    [1_795_884_003, 0],
    [1_795_884_003.123, 123],
    ['1795884003.123', 123],
    [1_795_884_003_123, 123],
    [1_795_884_003_123_456, 123],
    [1.795884003123e18, 123],
    ['1795884003123000000', 123],
    ['2026-11-28T16:40:03.123Z', 123],
    ['2026/11/28 16:40:03.123', 123],
    ['28/Nov/2026:18:40:03 +0200', 0],
    ['Sat, 28 Nov 2026 16:40:03 GMT', 0],
  ])('in JSON: %s is the same in any unit and shape', (value, milliseconds) => {
    expect(new TimeValueReader().read(value)).toBe(1_795_884_003_000 + milliseconds);
  });

  it.each([
    0.003,
    -1,
    Number.NaN,
    1e300,
    '',
    '-',
    'x',
    null,
    undefined,
    true,
    {},
    [],
    '2026-11-28T16:40:03Zx',
  ])('in JSON: %s is none', (value) => {
    expect(new TimeValueReader().read(value)).toBeUndefined();
  });
});

describe('the cache of User-Agent headers', () => {
  it('looks up a header once, and finds it in any block', () => {
    const lookedUp: string[] = [];
    const cache = new CrawlerCache((header) => {
      lookedUp.push(header);
      return header;
    });
    const decode = (block: Buffer, start: number, end: number): string =>
      block.toString('latin1', start, end);
    for (const text of ['GPTBot', 'GPTBoT', 'xGPTBot', 'GPT', 'GPTBot'])
      for (const block of [Buffer.from(text), Buffer.from(`abc${text}de`).subarray(3, 3 + text.length)])
        expect(cache.find(block, 0, text.length, decode).crawler).toBe(text);
    expect(lookedUp.filter((header) => header === 'GPTBot')).toHaveLength(1);
  });

  it('keeps headers in use while a hostile log has a new one in every line', () => {
    let lookUps = 0;
    const cache = new CrawlerCache((header) => {
      if (header === 'GPTBot/1.0') lookUps++;
      return undefined;
    });
    const decode = (block: Buffer): string => block.toString();
    for (let index = 0; index < 20_000; index++)
      for (const text of [`x${index}`.padEnd(20), 'GPTBot/1.0']) {
        cache.find(Buffer.from(text), 0, text.length, decode);
      }
    expect(lookUps).toBe(1);
  });
});

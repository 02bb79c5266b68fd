import { describe, expect, it } from 'vitest';
import { FORMATS, findFormat } from '../../../src/logs/formats/find-format.ts';
import { recognizeFormat } from '../../../src/logs/formats/recognize-format.ts';
import { OPTIONS, readLine } from '../../support/log-reading.ts';

const MAIN =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_user_agent" "$http_x_forwarded_for"';

describe('findFormat', () => {
  it('creates the same format in another thread from the name', () => {
    for (const name of [...FORMATS.map((format) => format.name), MAIN, '%h %t "%r" %>s "%{User-Agent}i"'])
      expect(findFormat(structuredClone(findFormat(name).name)).has).toEqual(findFormat(name).has);
  });

  it('says what a format has', () => {
    expect(findFormat('common').has).toMatchObject({ userAgent: false, host: false, address: true });
    expect(findFormat('combined').has).toMatchObject({ userAgent: true, host: false, signature: false });
    expect(findFormat('alb').has).toMatchObject({ userAgent: true, host: true });
    expect(findFormat('w3c').has.signature).toBe(true);
    expect(findFormat('cloudfront').has.signature).toBe(false);
    expect(findFormat('caddy').has).toMatchObject({ host: true, signature: true });
    expect(findFormat('$msec $host "$request"').has).toMatchObject({
      address: false,
      status: false,
      host: true,
    });
  });

  it.each([
    ['combned', 'did you mean "combined"?'],
    ['', 'there is no log format ""'],
    ['$request $status', 'no field with the date and time'],
    ['$time_local $status', 'no field with the request line or the path'],
    ['$time_local $status$request', 'two fields that no text separates: "status" and the next one'],
    ['%h %t %y "%r"', 'unknown directive %y at character 7'],
    ['%h %{%Y}t "%r"', '"%Y" is not the pattern of a date'],
    ['%h %{%Q%k}q %{%!}t "%r"', 'unknown directive %!'],
    ['%h %{x "%r"', 'has a "{" without "}"'],
    ['%', 'unknown directive % at character 1'],
    ['log_format x escape=xml "$time_local $request"', 'escape must be default, json or none, not "xml"'],
    [`%h ${'%u '.repeat(4_000)}`, 'must not be longer than 10000 characters'],
  ])('rejects "%s" with one clear error', (pattern, message) => {
    expect(() => findFormat(pattern)).toThrow(RangeError);
    expect(() => findFormat(pattern)).toThrow(message);
  });

  it('rejects values that are not strings', () => {
    expect(() => findFormat(undefined as never)).toThrow(TypeError);
  });
});

describe('recognizeFormat', () => {
  it('recognises nothing in other texts', () => {
    for (const text of ['', 'a\nb', '{"a":1}', '<html>\n</html>', '#Fields: date time x\n1 2 3', '\0\0\0'])
      expect(recognizeFormat(text.split('\n').map((line) => Buffer.from(line)))).toBeUndefined();
    expect(recognizeFormat([])).toBeUndefined();
  });

  it('recognises the common log format, of which all lines are ones of visitors', () => {
    const line = Buffer.from('203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET / HTTP/1.1" 200 5');
    expect(recognizeFormat([line])?.name).toBe('common');
    expect(readLine('common', line)).toBe('visitor');
  });

  it('recognises a file with header lines only', () => {
    const lines = [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Fields: date time cs-uri-stem c-ip',
    ];
    expect(recognizeFormat(lines.map((line) => Buffer.from(line)))?.name).toBe('w3c');
  });

  it('reads the first 100 lines only', () => {
    const garbage = Array.from({ length: 100 }, () => Buffer.from('x'));
    const line = Buffer.from('203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET / HTTP/1.1" 200 5 "-" "x"');
    expect(recognizeFormat([...garbage, line])).toBeUndefined();
    expect(recognizeFormat([...garbage.slice(0, 50), ...garbage.map(() => line)])?.name).toBe('combined');
  });
});

describe('the address in a header field', () => {
  const clientIp = {
    field: 'X-Forwarded-For',
    trustedProxies: ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1'],
  };
  const read = (peer: string, list: string): unknown => {
    const line = `${peer} - - [28/Nov/2026:18:40:03 +0200] "GET / HTTP/1.1" 200 5 "GPTBot/1.0" "${list}"`;
    const result = readLine(MAIN, line, { clientIp });
    return typeof result === 'object' ? result.address : result;
  };

  it.each([
    ['10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['10.0.0.1', '66.249.66.1, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7:4711,192.0.2.1', '203.0.113.7'],
    ['10.0.0.1', '[2001:db8:2::7]:443, 2001:db8:1::5', '2001:db8:2::7'],
    ['::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['unix:', '203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['203.0.113.9', '66.249.66.1', '203.0.113.9'],
    ['10.0.0.1', '-', null],
    ['10.0.0.1', '10.0.0.2', null],
    ['10.0.0.1', '66.249.66.1, unknown', null],
    ['10.0.0.1', '66.249.66.1,', null],
    ['10.0.0.1', `${'66.249.66.1,'.repeat(1_000)}203.0.113.7`, '203.0.113.7'],
  ])('connection from %s, list "%s": %s', (peer, list, expected) => {
    expect(read(peer, list)).toBe(expected);
  });

  it.each([
    [{ field: 'x-forwarded-for', trustedProxies: [] }, 'at least one trusted proxy'],
    [{ field: 'x-forwarded-for', trustedProxies: ['10.0.0.0/33'] }, 'not "10.0.0.0/33"'],
    [{ field: 'x-forwarded-for', trustedProxies: ['0.0.0.0/0'] }, 'not "0.0.0.0/0"'],
    [{ field: 'x-real-ip', trustedProxies: ['10.0.0.1'] }, 'no header field "x-real-ip"'],
  ])('rejects %j', (options, message) => {
    expect(() => findFormat(MAIN).createReader({ ...OPTIONS, clientIp: options })).toThrow(RangeError);
    expect(() => findFormat(MAIN).createReader({ ...OPTIONS, clientIp: options })).toThrow(message);
  });

  it('is found in JSON, in named fields and in Traefik logs', () => {
    const options = { clientIp: { field: 'x-forwarded-for', trustedProxies: ['10.0.0.1'] } };
    const lines = {
      caddy:
        '{"ts":1795884003,"status":200,"request":{"remote_ip":"10.0.0.1","method":"GET","uri":"/","headers":{"User-Agent":["GPTBot/1.0"],"X-Forwarded-For":["203.0.113.7"]}}}',
      traefik:
        '{"StartUTC":"2026-11-28T16:40:03Z","DownstreamStatus":200,"ClientAddr":"10.0.0.1:47","ClientHost":"203.0.113.7","RequestMethod":"GET","RequestPath":"/","request_User-Agent":"GPTBot/1.0"}',
      cloudflare:
        '{"EdgeStartTimestamp":1795884003,"ClientIP":"10.0.0.1","ClientRequestURI":"/","ClientRequestUserAgent":"GPTBot/1.0","RequestHeaders":{"x-forwarded-for":"203.0.113.7"}}',
      'nginx-json':
        '{"msec":1795884003,"status":200,"remote_addr":"10.0.0.1","request_uri":"/","http_user_agent":"GPTBot/1.0","http_x_forwarded_for":"203.0.113.7"}',
    };
    for (const [format, line] of Object.entries(lines))
      expect(readLine(format, line, options)).toMatchObject({ address: '203.0.113.7' });
    const reader = findFormat('w3c').createReader({ ...OPTIONS, ...options });
    reader.header =
      '#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent) sc-status X-Forwarded-For\n';
    const line = Buffer.from('2026-11-28 16:40:03 10.0.0.1 GET / GPTBot/1.0 200 203.0.113.7');
    expect(reader.read(line, 0, line.length)).toMatchObject({ address: '203.0.113.7' });
  });
});

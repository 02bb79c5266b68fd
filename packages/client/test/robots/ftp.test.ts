import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fetchRobotsTxt, RobotsClient } from '../../../maycrawl/src/index.ts';
import { run } from '../../../maycrawl/test/support/run.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serveFtp } from '../support/ftp.ts';
import { HAS_VSFTPD, startVsftpd } from '../support/vsftpd.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
async function started(...args: Parameters<typeof startVsftpd>): Promise<string> {
  return (await closeAtEnd(startVsftpd(...args))).origin;
}

describe.skipIf(!HAS_VSFTPD)('vsftpd', () => {
  test('a file', async () => {
    const origin = await started({ 'robots.txt': FILE });
    const result = await fetchRobotsTxt(`${origin}/robots.txt`);
    expect(result).toMatchObject({
      kind: 'successful',
      hops: [{ url: `${origin}/robots.txt`, status: 226 }],
      headers: null,
      timings: { connect: expect.any(Number), headers: expect.any(Number), body: expect.any(Number) },
    });
    expect(result.kind === 'successful' && Buffer.from(result.bytes).toString()).toBe(FILE);
  });

  test('unchanged bytes, up to the limit', async () => {
    const bytes = Buffer.alloc(2_000_000, '\r\n\xff#', 'latin1');
    const origin = await started({ 'robots.txt': bytes });
    const result = await fetchRobotsTxt(`${origin}/robots.txt`);
    expect(result.kind === 'successful' && Buffer.from(result.bytes).equals(bytes.subarray(0, 512_001))).toBe(
      true,
    );
  });

  test('no file: unavailable', async () => {
    const origin = await started({});
    expect(await fetchRobotsTxt(`${origin}/robots.txt`)).toMatchObject({
      kind: 'unavailable',
      code: 'ftp-reply',
      hops: [{ status: 550 }],
    });
  });

  test('no anonymous users: unreachable', async () => {
    // Without the last setting the server waits for a second before its reply.
    const origin = await started({ 'robots.txt': FILE }, [
      'anonymous_enable=NO',
      'local_enable=YES',
      'delay_failed_login=0',
    ]);
    expect(await fetchRobotsTxt(`${origin}/robots.txt`)).toMatchObject({
      kind: 'unreachable',
      code: 'ftp-reply',
      hops: [{ status: 530 }],
    });
  });

  test('slow data', async () => {
    const origin = await started({ 'robots.txt': FILE.repeat(10_000) }, ['anon_max_rate=1000']);
    const result = await fetchRobotsTxt(`${origin}/robots.txt`, { deadlines: { body: 500 } });
    expect(result).toMatchObject({ kind: 'unreachable', message: 'no complete body within 500 ms' });
  });

  test('the client and the command decide by the file', async () => {
    const origin = await started({ 'robots.txt': FILE });
    const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot/1.0' });
    expect(await client.decide(`${origin}/private/a`)).toMatchObject({ kind: 'disallowed', line: 2 });
    expect(await client.decide(`${origin}/a`)).toMatchObject({ kind: 'allowed' });
    const { code, stdout } = await run(['check', `${origin}/private/a`, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ allowed: false, line: 2, robots: `${origin}/robots.txt` });
    expect(code).toBe(1);
  });
});

describe.each([1, 2, 3, 4, 8])('replies that TCP cuts after %d bytes', (cut) => {
  test('a file', async () => {
    const onData = (data: Socket, control: Socket): void => {
      setTimeout(() => data.end(FILE, () => control.write('226 done\r\n')), 40);
    };
    const server = await closeAtEnd(serveFtp({ cut, onData }));
    expect(await fetchRobotsTxt(`${server.origin}/robots.txt`)).toMatchObject({ kind: 'successful' });
  });

  test('no file: unavailable', async () => {
    const server = await closeAtEnd(serveFtp({ cut, replies: { RETR: '550 Not found' }, onData: () => {} }));
    expect(await fetchRobotsTxt(`${server.origin}/robots.txt`)).toMatchObject({
      kind: 'unavailable',
      hops: [{ status: 550 }],
    });
  });
});

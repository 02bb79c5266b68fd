import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { assertAllows, assertDisallows, assertEquivalent, matchers, type RobotsInput } from 'maycrawl/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFailure } from '../support/failure.ts';

expect.extend(matchers);

const ROBOTS = 'User-agent: *\nDisallow: /private/\n';
const GOOGLEBOT = { agent: 'Googlebot' };

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-matchers-'));
  path = join(folder, 'robots.txt');
  writeFileSync(path, ROBOTS);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a robots.txt', () => {
  test.each<[name: string, create: () => RobotsInput]>([
    ['a text', () => ROBOTS],
    ['bytes', () => new TextEncoder().encode(ROBOTS)],
    [
      'bytes of another realm',
      () => runInNewContext('Uint8Array.from(bytes)', { bytes: Buffer.from(ROBOTS) }),
    ],
    ['a path', () => ({ file: path })],
    ['a file with a URL', () => ({ file: pathToFileURL(path) })],
    ['a URL', () => pathToFileURL(path)],
    ['the object of Next.js', () => ({ rules: { disallow: '/private/' } })],
    ['a response', () => new Response(ROBOTS)],
  ])('can be %s', async (_, create) => {
    const robots = create();
    await assertAllows(robots, '/blog/**', GOOGLEBOT);
    await assertDisallows(robots, '/private/**', GOOGLEBOT);
    await assertEquivalent(robots, ROBOTS);
    await assertEquivalent(ROBOTS, robots);
    const { message } = await getFailure(() => assertAllows(robots, '/**', GOOGLEBOT));
    expect(message).toContain('Line 2, "Disallow: /private/"');
  });

  test.each<[message: string, create: () => unknown]>([
    ['for a file write { file', () => 'public/robots.txt'],
    ['for a file write { file', () => 'C:\\\\site\\\\robots.txt'],
    ['for an address await fetch', () => 'https://shop.example/robots.txt'],
    ['not an object: await it first', () => Promise.resolve(ROBOTS)],
    ['https://shop.example/robots.txt is not a file', () => new URL('https://shop.example/robots.txt')],
    ['the option "file" must be of type string or object', () => ({ file: 5 })],
    ['"file" must be a path or a file: URL', () => ({ file: { path } })],
    ['unknown option "rules"', () => ({ file: path, rules: [] })],
    ['not undefined', () => undefined],
    ['not null', () => null],
    ['not an array', () => []],
  ])('%s', async (message, create) => {
    const robots = create() as RobotsInput;
    expect(await getFailure(() => assertAllows(robots, '/', GOOGLEBOT))).toMatchObject({ name: 'TypeError' });
    for (const work of [
      () => assertAllows(robots, '/', GOOGLEBOT),
      () => assertEquivalent(ROBOTS, robots),
      () => expect(robots).not.toAllow('/', GOOGLEBOT),
    ])
      expect((await getFailure(work)).message).toContain(message);
  });

  test('a file that cannot be read fails the test, which also expects the opposite', async () => {
    const missing = { file: join(folder, 'missing.txt') };
    for (const work of [
      () => assertAllows(missing, '/', GOOGLEBOT),
      () => expect(missing).not.toAllow('/', GOOGLEBOT),
    ]) {
      const failure = await getFailure(work);
      expect(failure).toMatchObject({ name: 'RobotsTestError', code: 'unreadable' });
      expect(failure.message).toBe(`cannot read ${missing.file}: no such file`);
    }
    expect((await getFailure(() => assertAllows({ file: folder }, '/', GOOGLEBOT))).message).toContain(
      'it is a directory, not a file',
    );
  });

  test('bytes after the limit of crawlers are not read', () => {
    const long = join(folder, 'long.txt');
    writeFileSync(long, `${ROBOTS}#${'x'.repeat(600_000)}\nDisallow: /\n`);
    assertAllows({ file: long }, '/blog/**', GOOGLEBOT);
  });
});

describe('a response', () => {
  test('with status 4xx allows all URLs, as for a crawler', async () => {
    const missing = new Response('User-agent: *\nDisallow: /', { status: 404 });
    await expect(missing).toAllow('/**', GOOGLEBOT);
    await expect(missing).toBeEquivalentTo('');
    const { message } = await getFailure(() => expect(missing).toDisallow('/admin/**', GOOGLEBOT));
    expect(message).toContain(
      'Robots.txt: the response with status 404. The site has no robots.txt, so all URLs are allowed.',
    );
  });

  test.each([
    [503, 'the response with status 503 says nothing about the rules'],
    [429, 'the response with status 429 says nothing about the rules'],
    [301, 'the response with status 301 is a redirect: test the response of its target'],
  ])('with status %i fails the test, which also expects the opposite', async (status, message) => {
    const response = new Response(ROBOTS, { status });
    for (const work of [
      () => expect(response).toAllow('/**', GOOGLEBOT),
      () => expect(response).not.toAllow('/**', GOOGLEBOT),
      () => expect(response).toBeEquivalentTo(new Response(null, { status: 500 })),
      () => assertEquivalent(ROBOTS, response),
    ]) {
      const failure = await getFailure(work);
      expect(failure).toMatchObject({ name: 'RobotsTestError', code: 'unreachable' });
      expect(failure.message).toContain(message);
    }
  });

  test('stays readable for the next statement, and fails once its body was read', async () => {
    const response = new Response(ROBOTS);
    await expect(response).toDisallow('/private/**', GOOGLEBOT);
    await expect(response).toDisallow('/private/**', GOOGLEBOT);
    expect(await response.text()).toBe(ROBOTS);
    expect((await getFailure(() => expect(response).toAllow('/', GOOGLEBOT))).message).toContain(
      'the body of the response was read before',
    );
  });

  test('whose body breaks off fails the test', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const failure = await getFailure(() => expect(new Response(body)).not.toAllow('/', GOOGLEBOT));
    expect(failure).toMatchObject({ code: 'unreadable' });
    expect(failure.message).toBe('cannot read the body of the response with status 200: reset');
  });
});

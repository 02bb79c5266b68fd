import { expect, test } from 'vitest';
import {
  decodeLocation,
  followRedirects,
  type RedirectPolicy,
  type RedirectResponse,
} from '../../src/http/redirects.ts';

/** Follows the redirects between pages: by path the status, and the location. */
async function follow(
  pages: Readonly<Record<string, readonly [status: number, location?: string]>>,
  policy: Partial<RedirectPolicy<RedirectResponse>> = {},
) {
  const requested: string[] = [];
  const released: string[] = [];
  const end = await followRedirects('http://a.example/', {
    maxRedirects: 5,
    request: async (url) => {
      requested.push(url);
      const [status = 404, location] = pages[new URL(url).pathname] ?? [];
      return { url, status, location };
    },
    release: async ({ url }) => void released.push(url),
    ...policy,
  });
  return { ...end, requested, released };
}

test('each response is released once it is followed, the last one is not', async () => {
  const { response, problem, requested, released } = await follow({
    '/': [302, '/b#fragment'],
    '/b': [307, 'https://c.example/c'],
    '/c': [200],
  });
  expect(response).toMatchObject({ url: 'https://c.example/c', status: 200 });
  expect(problem).toBeUndefined();
  expect(requested).toEqual(['http://a.example/', 'http://a.example/b', 'https://c.example/c']);
  expect(released).toEqual(['http://a.example/', 'http://a.example/b']);
});

test.each([300, 304, 305, 306, 399])(
  'status %i is no redirect, whatever its Location says',
  async (status) => {
    const { response, problem } = await follow({ '/': [status, '/b'], '/b': [200] });
    expect(response.status).toBe(status);
    expect(problem).toBeUndefined();
  },
);

test.each([
  ['no location', [302], { kind: 'missing-location' }],
  ['no URL', [302, 'http://['], { kind: 'invalid-location', location: 'http://[' }],
  ['another scheme', [302, 'ftp://a.example/'], { kind: 'invalid-location', location: 'ftp://a.example/' }],
  ['a loop', [302, '/#x'], { kind: 'loop', url: 'http://a.example/' }],
  ['a refusal', [302, '/no'], { kind: 'refused', url: 'http://a.example/no' }],
] as const)('%s ends the chain', async (_name, page, problem) => {
  const end = await follow({ '/': page }, { mayFollow: async (url) => !url.endsWith('/no') });
  expect(end.problem).toEqual(problem);
  expect(end.released).toEqual([]);
});

test('as many redirects as the policy says, and no more', async () => {
  const pages = { '/': [302, '/1'], '/1': [302, '/2'], '/2': [200] } as const;
  expect((await follow(pages, { maxRedirects: 2 })).problem).toBeUndefined();
  const { problem, requested } = await follow(pages, { maxRedirects: 1 });
  expect(problem).toEqual({ kind: 'too-many', url: 'http://a.example/2' });
  expect(requested.length).toBe(2);
});

test('a loop can be allowed, as in fetch', async () => {
  const { problem } = await follow({ '/': [302, '/'] }, { stopsAtLoop: false });
  expect(problem).toMatchObject({ kind: 'too-many' });
});

test.each([
  [undefined, undefined],
  [null, undefined],
  ['', ''],
  ['/a', '/a'],
  [['/a', '/b'], '/a'],
  [Buffer.from('/ä').toString('latin1'), '/ä'],
  ['/\xe4', '/\xe4'],
])('the Location header %j is decoded', (header, location) => {
  expect(decodeLocation(header)).toBe(location);
});

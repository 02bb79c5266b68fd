import { describe, expect, test, vi } from 'vitest';
import { createRobotsFetch, ForbiddenUrlError } from '../../src/adapters/fetch.ts';
import { PrivateAddressError } from '../../src/http/address-policy.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { newClient, pathsOf, redirectTo, type Site, startSite } from './site.ts';

const STATUSES = [301, 302, 303, 307, 308];

const start: typeof startSite = (robots) => closeAtEnd(startSite(robots));

describe('what is forbidden is not requested', () => {
  test('a page: an error that says why', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    expect(await (await fetch(`${site.origin}/open`)).text()).toContain('A page');
    const error: unknown = await fetch(`${site.origin}/private/x`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForbiddenUrlError);
    expect(error).toMatchObject({
      name: 'ForbiddenUrlError',
      code: 'disallowed',
      url: `${site.origin}/private/x`,
      verdict: { kind: 'disallowed', line: 2 },
      message:
        `${site.origin}/private/x is forbidden: Disallowed. No group names this crawler, so the group for * applies. ` +
        'Line 2, "Disallow: /private", is the longest matching rule.',
    });
    expect(site.requests).toEqual(['/robots.txt', '/open']);
  });

  test('as a string, a URL or a Request, with whatever options', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    const forbidden = `${site.origin}/private`;
    for (const input of [forbidden, new URL(forbidden), new Request(forbidden)]) {
      for (const redirect of ['follow', 'manual', 'error'] as const) {
        await expect(fetch(input, { redirect, method: 'HEAD' })).rejects.toThrow(ForbiddenUrlError);
      }
    }
    expect(site.requests).toEqual(['/robots.txt']);
  });

  test('as what fetch makes of the input and the redirect mode, whatever else they seem to be', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    const forbidden = `${site.origin}/private`;
    const open = `${site.origin}/open`;
    const openPrototype = Object.create(Request.prototype, { url: { get: () => open } });
    const disguised = [
      Object.assign(new URL(forbidden), { url: open }),
      { url: open, toString: () => forbidden },
      Object.defineProperty(new Request(forbidden), 'url', { value: open }),
      Object.setPrototypeOf(new Request(forbidden), openPrototype),
    ] as unknown as URL[];
    for (const input of disguised) await expect(fetch(input)).rejects.toThrow(ForbiddenUrlError);
    let conversions = 0;
    const texts = ['[object Request]', forbidden, forbidden];
    const changing = { url: open, toString: () => texts[conversions++] } as unknown as URL;
    await expect(fetch(changing)).rejects.toThrow(TypeError);
    expect(conversions).toBe(1);
    for (const redirect of [['follow'], Object('follow')])
      await expect(fetch(`${site.origin}${redirectTo('/private')}`, { redirect })).rejects.toThrow(
        ForbiddenUrlError,
      );
    await expect(fetch(open, { redirect: 'Follow' as 'follow' })).rejects.toThrow(TypeError);
    expect(site.requests).not.toContain('/private');
  });

  test('after redirects, on the same site and on others', async () => {
    const site = await start();
    const other = await start();
    const fetch = createRobotsFetch(newClient());
    for (const status of STATUSES) {
      for (const target of ['/private/a', `${other.origin}/private/b`]) {
        const first = `${site.origin}${redirectTo(target, status)}`;
        const url = new URL(target, site.origin).href;
        await expect(fetch(first)).rejects.toMatchObject({ code: 'disallowed', url });
        const before = `${other.origin}${redirectTo(first, status)}`;
        await expect(fetch(before)).rejects.toMatchObject({ code: 'disallowed', url });
      }
    }
    const paths = [...pathsOf(site), ...pathsOf(other)];
    expect(paths.filter((path) => path.startsWith('/redirect')).length).toBe(30);
    expect(paths.length).toBe(30);
  });

  test('even if the caller changes what it gave while the robots.txt is fetched', async () => {
    const site = await start();
    const url = new URL(`${site.origin}/open`);
    const changed = createRobotsFetch(newClient())(url);
    url.pathname = '/private';
    await changed;
    expect(site.requests).toEqual(['/robots.txt', '/open']);
    const init: RequestInit = { redirect: 'manual' };
    const redirected = createRobotsFetch(newClient())(`${site.origin}${redirectTo('/private')}`, init);
    init.redirect = 'follow';
    expect((await redirected).status).toBe(302);
    expect(pathsOf(site)).not.toContain('/private');
  });

  test('nor is that about which there is no verdict', async () => {
    const site = await start();
    const fetch = createRobotsFetch({
      decide: async (url) => ({ kind: 'out-of-scope', reason: 'other-origin', url }),
    });
    await expect(fetch(`${site.origin}/`)).rejects.toMatchObject({
      code: 'out-of-scope',
      verdict: { kind: 'out-of-scope' },
      message: expect.stringContaining(
        '/ has no verdict, so it is not requested: No verdict. The robots.txt',
      ),
    });
    expect(site.requests).toEqual([]);
  });

  test('the message is one line, whatever stands in the file', async () => {
    const file = 'User-agent: *\nDisallow: /*\u202e\u2028z$\n';
    const site = await start((_request, response) => response.end(file));
    const decided = createRobotsFetch(newClient())(`${site.origin}/%e2%80%ae%e2%80%a8z`);
    await expect(decided).rejects.toThrow(/"Disallow: \/\* {2}z\$"/);
  });
});

describe('redirects', () => {
  test('what is sent after them is what the global fetch sends', async () => {
    const site = await start();
    const other = await start();
    const ours = createRobotsFetch(newClient());
    const headers = {
      'user-agent': 'TestBot/1.0',
      authorization: 'Basic eDp5',
      cookie: 'a=b',
      'content-language': 'en',
      'content-location': '/here',
      'x-own': '1',
    };
    const bodies = ['text', new URLSearchParams({ a: 'b' }), new Blob(['blob'], { type: 'text/x' })];
    const requests: RequestInit[] = ['GET', 'head'].map((method) => ({ method, headers }));
    for (const method of ['POST', 'post', 'PUT', 'DELETE', 'PATCH']) {
      requests.push({ method, headers }, ...bodies.map((body) => ({ method, headers, body })));
    }
    const send = async (fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<object> => {
      const response = await fetch(url, init);
      const received = [site, other].map((server) => server.received.splice(0));
      return { status: response.status, url: response.url, text: await response.text(), received };
    };
    let compared = 0;
    for (const status of STATUSES) {
      const back = redirectTo(`${site.origin}${redirectTo('/end', status)}`, status);
      for (const where of ['/end', `${other.origin}/end`, `${other.origin}${back}`]) {
        const url = `${site.origin}${redirectTo(where, status)}`;
        for (const init of requests) {
          const expected = await send(globalThis.fetch, url, init);
          expect(await send(ours, url, init)).toEqual(expected);
          expect(expected).toMatchObject({ status: 200 });
          compared++;
        }
      }
    }
    expect(compared).toBe(5 * 3 * 22);
  });

  test('headers for one origin are not sent to another one, nor when it leads back', async () => {
    const site = await start();
    const other = await start();
    const secrets = { authorization: 'x', cookie: 'x', 'proxy-authorization': 'x' };
    const back = `${other.origin}${redirectTo(`${site.origin}/end`)}`;
    await createRobotsFetch(newClient())(`${site.origin}${redirectTo(redirectTo(back))}`, {
      headers: { ...secrets, 'x-own': '1' },
    });
    const sent = ({ received }: Site): string[][] =>
      received.map(({ headers }) => ['x-own', ...Object.keys(secrets)].filter((name) => name in headers));
    const all = ['x-own', ...Object.keys(secrets)];
    expect(sent(site)).toEqual([all, all, ['x-own']]);
    expect(sent(other)).toEqual([['x-own']]);
  });

  test('a Request goes on as it was', async () => {
    const site = await start();
    const options = { method: 'DELETE', headers: { 'x-own': '1' }, cache: 'no-cache' } as RequestInit;
    await createRobotsFetch(newClient())(new Request(`${site.origin}${redirectTo('/end', 307)}`, options));
    const [first, last] = site.received;
    expect(first).toMatchObject({
      method: 'DELETE',
      headers: { 'x-own': '1', 'cache-control': 'max-age=0' },
    });
    expect(last).toEqual({ ...first, url: '/end' });
  });

  test('a body that is a stream is not sent twice', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    const url = `${site.origin}${redirectTo('/end', 307)}`;
    const stream = { method: 'POST', body: new Blob(['text']).stream(), duplex: 'half' } as RequestInit;
    const error = new TypeError('a redirect with status 307 requires the body again, which was a stream');
    await expect(fetch(url, stream)).rejects.toThrow(error);
    await expect(fetch(new Request(url, { method: 'POST', body: 'text' }))).rejects.toThrow(error);
    expect(site.received.map(({ body }) => body)).toEqual(['text', 'text']);
    expect(pathsOf(site)).not.toContain('/end');
  });

  test('at most 20, or as many as one likes', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    expect((await fetch(`${site.origin}/count/20`)).status).toBe(200);
    site.received.length = 0;
    await expect(fetch(`${site.origin}/count/21`)).rejects.toThrow(
      new TypeError(`more than 20 redirects, the last one to ${site.origin}/count/1`),
    );
    expect(site.received.length).toBe(21);
    const none = createRobotsFetch(newClient(), { maxRedirects: 0 });
    expect((await none(`${site.origin}/count/0`)).status).toBe(200);
    await expect(none(`${site.origin}/count/1`)).rejects.toThrow(TypeError);
    expect(() => createRobotsFetch(newClient(), { maxRedirects: Number.NaN })).toThrow(RangeError);
    expect(() => createRobotsFetch(newClient(), { maxRedirects: -1 })).toThrow(RangeError);
  });

  test("the caller's 'manual' and 'error' are honoured", async () => {
    const site = await start();
    const client = newClient();
    const fetch = createRobotsFetch(client);
    const url = `${site.origin}${redirectTo('/private')}`;
    for (const response of [
      await fetch(url, { redirect: 'manual' }),
      await fetch(new Request(url, { redirect: 'manual' })),
    ]) {
      expect(response.status).toBe(302);
      expect(response.headers.get('location')).toBe('/private');
      expect(await response.text()).toBe('moved');
    }
    await expect(fetch(url, { redirect: 'error' })).rejects.toThrow(TypeError);
    // The server has not failed.
    const turn = client.tryTurn(`${site.origin}/open`);
    expect(turn).toBeDefined();
    turn?.end();
    await expect(fetch(new Request(url, { redirect: 'error' }))).rejects.not.toThrow(ForbiddenUrlError);
    // What is said in the second argument counts.
    await expect(fetch(new Request(url, { redirect: 'error' }), { redirect: 'follow' })).rejects.toThrow(
      ForbiddenUrlError,
    );
  });

  test('to what is no http or https URL', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    for (const where of ['ftp://127.0.0.1/', 'data:,x', 'http://[']) {
      const url = `${site.origin}${redirectTo(where)}`;
      await expect(fetch(url)).rejects.toThrow(TypeError);
      await expect(fetch(url)).rejects.toThrow(`URL: ${where}, to which ${site.origin}/redirect`);
    }
  });
});

describe('redirects to private addresses', () => {
  test.each(['127.0.0.1', 'localhost'])('%s gets no request', async (host) => {
    const site = await start();
    const other = await start();
    const target = `${other.origin.replace('127.0.0.1', host)}/open`;
    const client = newClient({ allowPrivateAddresses: undefined });
    const fetch = createRobotsFetch(client);
    // What the caller passes is open, and stays so.
    expect((await fetch(`${site.origin}${redirectTo(`${site.origin}/open`)}`)).status).toBe(200);
    for (const store of ['an empty', 'a filled']) {
      const error: unknown = await fetch(`${site.origin}${redirectTo(target)}`).catch(
        (thrown: unknown) => thrown,
      );
      expect(error, `${store} cache`).toBeInstanceOf(PrivateAddressError);
      expect(error).toMatchObject({ code: 'private-address', address: '127.0.0.1' });
      if (store === 'an empty') {
        expect(other.requests).toEqual([]);
        expect((await fetch(target)).status).toBe(200);
      }
    }
    expect(other.requests).toEqual(['/robots.txt', '/open']);
  });

  test('allowPrivateAddresses and addressPolicy open them', async () => {
    const site = await start();
    const other = await start();
    const url = `${site.origin}${redirectTo(`${other.origin}/open`)}`;
    const addressPolicy = { permits: (target: string) => target.startsWith('http:') };
    for (const options of [
      { allowPrivateAddresses: true },
      { allowPrivateAddresses: undefined, addressPolicy },
    ])
      expect((await createRobotsFetch(newClient(options))(url)).status).toBe(200);
  });

  test('a site without a known address is unreachable, and not requested if old rules allow it', async () => {
    const site = await start();
    const url = `${site.origin}${redirectTo('http://missing.invalid/')}`;
    const missing = createRobotsFetch(newClient({ allowPrivateAddresses: undefined }))(url);
    await expect(missing).rejects.toMatchObject({ verdict: { reason: 'unreachable' } });
    const fetcher: ClientOptions['fetcher'] = async (next) => ({
      ...{ kind: 'successful', bytes: new Uint8Array(), headers: null },
      ...{ hops: [{ url: next, status: 200 }], timings: { total: 1 } },
    });
    const stored = createRobotsFetch(newClient({ allowPrivateAddresses: undefined, fetcher }))(url);
    await expect(stored).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('the User-Agent header', () => {
  test('is that of the client, under which the robots.txt was read, at every redirect', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    for (const input of [redirectTo('/end'), new Request(`${site.origin}/page`)])
      await fetch(typeof input === 'string' ? `${site.origin}${input}` : input);
    expect(site.received.map(({ headers }) => headers['user-agent'])).toEqual(Array(3).fill('TestBot/1.0'));
  });

  test("is the caller's if the caller sets one", async () => {
    const site = await start();
    await createRobotsFetch(newClient())(`${site.origin}/`, { headers: { 'User-Agent': 'Own/2' } });
    expect(site.received[0]?.headers['user-agent']).toBe('Own/2');
  });
});

describe('aborting', () => {
  test('while a robots.txt is fetched', async () => {
    const hanging = await start(() => {});
    const site = await start();
    const fetch = createRobotsFetch(newClient());
    const url = `${hanging.origin}/`;
    const redirecting = `${site.origin}${redirectTo(url)}`;
    const reason = new Error('enough');
    const ways: ((signal: AbortSignal) => Promise<Response>)[] = [
      (signal) => fetch(url, { signal }),
      (signal) => fetch(new Request(url, { signal })),
      (signal) => fetch(new Request(url), { signal }),
      (signal) => fetch(redirecting, { signal }),
      (signal) => fetch(new Request(redirecting, { signal })),
    ];
    let redirected = 0;
    for (const [index, fetchWith] of ways.entries()) {
      const controller = new AbortController();
      const before = hanging.requests.length;
      const waiting = fetchWith(controller.signal);
      if (index >= 3) redirected++;
      // A request that was given up may still be under way, and is waited for by the next caller.
      await vi.waitFor(() => {
        expect(site.received.length).toBe(redirected);
        expect(hanging.requests.length).toBeGreaterThan(index === 0 ? before : 0);
      });
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
    }
    expect(new Set(hanging.requests)).toEqual(new Set(['/robots.txt']));
    expect(site.received.length).toBe(2);
  });

  test('before the first request', async () => {
    const site = await start();
    const signal = AbortSignal.abort();
    await expect(createRobotsFetch(newClient())(`${site.origin}/`, { signal })).rejects.toBe(signal.reason);
    expect(site.requests).toEqual([]);
  });
});

describe('what sends the requests', () => {
  test('gets all options, at every redirect', async () => {
    const site = await start();
    const given: unknown[] = [];
    const fetch = createRobotsFetch(newClient(), {
      fetch: (input, init) => {
        given.push([String(input), (init as { dispatcher?: unknown }).dispatcher]);
        return globalThis.fetch(input, { ...init, dispatcher: undefined } as unknown as RequestInit);
      },
    });
    await fetch(`${site.origin}/count/2`, { dispatcher: 'own' } as unknown as RequestInit);
    expect(given).toEqual([2, 1, 0].map((count) => [`${site.origin}/count/${count}`, 'own']));
  });

  test.each(['/relative', 'ftp://site.example/', 'data:,x', 'http://['])(
    'is not requested: %s',
    async (url) => {
      const fetch = createRobotsFetch(newClient(), { fetch: () => expect.unreachable() });
      await expect(fetch(url)).rejects.toThrow(TypeError);
      await expect(fetch(url)).rejects.toThrow(`URL: ${url}`);
    },
  );
});

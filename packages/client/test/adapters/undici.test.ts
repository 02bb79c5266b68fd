import { generateKeyPairSync } from 'node:crypto';
import { Agent, type Dispatcher, fetch, interceptors, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { robots } from '../../src/adapters/undici.ts';
import { addHeaders } from '../../src/adapters/undici-headers.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { newClient, pathsOf, redirectTo, startSite } from './site.ts';

const start: typeof startSite = (file) => closeAtEnd(startSite(file));

const { redirect } = interceptors;

async function newDispatcher(options: Partial<ClientOptions> = {}, maxRedirections = 0): Promise<Dispatcher> {
  const agent = await closeAtEnd(new Agent());
  const own = [robots(newClient(options))];
  return agent.compose(maxRedirections === 0 ? own : [...own, redirect({ maxRedirections })]);
}

describe('the interceptor of undici', () => {
  test('sends what is allowed, and not what is forbidden, by request and by fetch', async () => {
    const site = await start();
    const dispatcher = await newDispatcher();
    expect((await request(`${site.origin}/open`, { dispatcher })).statusCode).toBe(200);
    expect((await fetch(`${site.origin}/open2`, { dispatcher })).status).toBe(200);
    const error: unknown = await request(`${site.origin}/private`, { dispatcher }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'ForbiddenUrlError', code: 'disallowed', temporary: false, line: 2 });
    await expect(fetch(`${site.origin}/private`, { dispatcher })).rejects.toMatchObject({
      cause: { code: 'disallowed' },
    });
    expect(site.requests).toEqual(['/robots.txt', '/open', '/open2']);
  });

  test('checks each hop of the redirect interceptor, on the same site and on others', async () => {
    const site = await start();
    const other = await start();
    const dispatcher = await newDispatcher({}, 5);
    const allowed = `${site.origin}${redirectTo(`${other.origin}${redirectTo('/open')}`)}`;
    expect((await request(allowed, { dispatcher })).statusCode).toBe(200);
    for (const target of [
      '/private/a',
      `${other.origin}/private/b`,
      `${other.origin}${redirectTo('/private/c')}`,
    ]) {
      const url = `${site.origin}${redirectTo(target)}`;
      await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: 'disallowed' });
    }
    for (const path of [...pathsOf(site), ...pathsOf(other)]) expect(path).not.toMatch(/^\/private/);
  });

  test('checks each hop of fetch, which follows redirects itself', async () => {
    const site = await start();
    const other = await start();
    const dispatcher = await newDispatcher();
    const url = `${site.origin}${redirectTo(`${other.origin}${redirectTo('/private')}`)}`;
    await expect(fetch(url, { dispatcher })).rejects.toMatchObject({ cause: { code: 'disallowed' } });
    expect(pathsOf(other)).toEqual([redirectTo('/private')]);
    expect((await fetch(`${site.origin}${redirectTo('/open')}`, { dispatcher })).status).toBe(200);
  });

  test('after the redirect interceptor fails, because hops would not be checked', async () => {
    const site = await start();
    const agent = await closeAtEnd(new Agent());
    const dispatcher = agent.compose(redirect({ maxRedirections: 5 }), robots(newClient()));
    await expect(request(`${site.origin}/open`, { dispatcher })).rejects.toThrow(
      'compose robots(client) before the redirect interceptor',
    );
    expect(pathsOf(site)).toEqual([]);
  });

  test('checks each attempt of the retry interceptor', async () => {
    const site = await start();
    const agent = await closeAtEnd(new Agent());
    const decided: string[] = [];
    const client = newClient();
    const decider = {
      decide: (url: string) => {
        decided.push(url);
        return client.decide(url);
      },
    };
    const retry = interceptors.retry({ maxRetries: 1, minTimeout: 1, maxTimeout: 1 });
    const dispatcher = agent.compose(robots(decider), retry);
    const url = `${site.origin}/status/500`;
    await request(url, { dispatcher }).catch(() => {});
    expect(decided).toEqual([url, url]);
  });

  test('signs requests as the client does, each hop for its own site', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const site = await start();
    const other = await start();
    const signature = {
      key: privateKey.export({ format: 'jwk' }),
      agent: 'https://bot.example',
      allowHttp: true,
    };
    const dispatcher = await newDispatcher({ signature } as object, 5);
    const url = `${site.origin}${redirectTo(`${other.origin}/open`)}`;
    await request(url, { dispatcher, headers: { signature: 'of another request' } });
    const [first] = site.received;
    const [second] = other.received;
    for (const each of [first, second])
      expect(each?.headers['signature-input']).toMatch(/tag="web-bot-auth"/);
    expect(first?.headers['signature']).not.toBe(second?.headers['signature']);
    expect(first?.headers['signature']).not.toContain('another');
  });

  test('decides about the URL with its query, and rejects a request without an origin', async () => {
    const site = await start((_request, response) => response.end('User-agent: *\nDisallow: /*sort='));
    const dispatcher = await newDispatcher();
    await expect(request(`${site.origin}/a`, { dispatcher, query: { sort: 'up' } })).rejects.toMatchObject({
      code: 'disallowed',
      url: `${site.origin}/a?sort=up`,
    });
    expect((await request(`${site.origin}/a`, { dispatcher, query: { page: 2 } })).statusCode).toBe(200);
    expect(pathsOf(site)).toEqual(['/a?page=2']);
    await expect(dispatcher.request({ path: '/', method: 'GET' })).rejects.toThrow(TypeError);
  });

  test('decides about the request that is sent: of an empty query, and of an object that the caller changes meanwhile', async () => {
    const site = await start((_request, response) =>
      response.end('User-agent: *\nDisallow: /a$\nDisallow: /private'),
    );
    const dispatcher = await newDispatcher();
    await expect(request(`${site.origin}/a`, { dispatcher, query: {} })).rejects.toMatchObject({
      code: 'disallowed',
    });
    const other = await start();
    const origin = new URL(site.origin);
    const options: { -readonly [Name in keyof Dispatcher.RequestOptions]: Dispatcher.RequestOptions[Name] } =
      {
        ...{ origin: new URL(other.origin), path: '/open', method: 'GET' },
      };
    const first = dispatcher.request(options);
    options.path = '/private';
    expect((await first).statusCode).toBe(200);
    await (await first).body.dump();
    expect(pathsOf(other)).toEqual(['/open']);
    await (await dispatcher.request({ origin, path: '/open', method: 'GET' })).body.dump();
    origin.host = new URL(other.origin).host;
    const second = await dispatcher.request({ origin, path: '/a', method: 'GET' });
    expect(second.statusCode).toBe(200);
    expect(pathsOf(other)).toEqual(['/open', '/a']);
  });

  test('refuses private addresses unless the client allows them, because it cannot see who passed the URL', async () => {
    const site = await start();
    const dispatcher = await newDispatcher({ allowPrivateAddresses: undefined });
    await expect(request(`${site.origin}/open`, { dispatcher })).rejects.toMatchObject({
      code: 'private-address',
    });
    expect(site.requests).toEqual([]);
  });

  test('sends one request to an origin at a time, and the next one after the body', async () => {
    let running = 0;
    const site = await start();
    const slow = await start();
    const dispatcher = await newDispatcher();
    const get = async (url: string): Promise<void> => {
      const { body } = await request(url, { dispatcher });
      expect(++running).toBe(1);
      running--;
      await body.text();
    };
    await Promise.all([1, 2, 3, 4].map((page) => get(`${site.origin}/${page}`)));
    expect(pathsOf(site)).toEqual(['/1', '/2', '/3', '/4']);
    await get(`${slow.origin}/`);
  });

  test('pauses after 503 with Retry-After, and says when to try again', async () => {
    const site = await start();
    const dispatcher = await newDispatcher();
    const { statusCode, body } = await request(`${site.origin}/status/503`, { dispatcher });
    expect(statusCode).toBe(503);
    await body.dump();
    await expect(request(`${site.origin}/open`, { dispatcher })).rejects.toMatchObject({
      ...{ name: 'PaceError', code: 'max-wait', temporary: true },
    });
  });

  test('stops waiting if the request is aborted', async () => {
    const site = await start(() => {});
    const dispatcher = await newDispatcher();
    const controller = new AbortController();
    const waiting = request(`${site.origin}/`, { dispatcher, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(pathsOf(site)).toEqual([]);
  });

  test('reports a failed connection, and pauses after it', async () => {
    const site = await start();
    const dispatcher = await newDispatcher({ pace: { maxWait: 100 } });
    await (await request(`${site.origin}/open`, { dispatcher })).body.dump();
    await site.close();
    const failed: unknown = await request(`${site.origin}/open`, { dispatcher }).catch((error) => error);
    expect(failed).not.toMatchObject({ name: 'PaceError' });
    await expect(request(`${site.origin}/open`, { dispatcher })).rejects.toMatchObject({ name: 'PaceError' });
  });

  test('sends the User-Agent of the client unless the caller sets one', async () => {
    const site = await start();
    const dispatcher = await newDispatcher();
    await request(`${site.origin}/1`, { dispatcher });
    await fetch(`${site.origin}/2`, { dispatcher });
    await request(`${site.origin}/3`, { dispatcher, headers: { 'User-Agent': 'Own/2' } });
    expect(site.received.map(({ headers }) => headers['user-agent'])).toEqual([
      ...['TestBot/1.0', 'TestBot/1.0', 'Own/2'],
    ]);
  });
});

test.each([
  ['none', undefined, ['user-agent', 'X/1']],
  ['an object', { a: ['1', '2'], b: undefined }, ['a', '1', 'a', '2', 'user-agent', 'X/1']],
  ['names and values in turn', ['a', '1'], ['a', '1', 'user-agent', 'X/1']],
  ['pairs', [['User-Agent', 'Own/2']], ['User-Agent', 'Own/2']],
  ['an iterable', new Map([['user-agent', 'undici']]), ['user-agent', 'X/1']],
])('a User-Agent is added to headers: %s', (_what, headers, expected) => {
  const added = { userAgent: 'X/1', replaced: ['signature'], headers: {} };
  expect(addHeaders(headers as never, added)).toEqual(expected);
});

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOperatorFinder } from '@maycrawl/core/crawlers';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../../scripts/after-file.ts';
import { readCatalogue } from '../../src/cli/input/crawlers-file.ts';
import { CardRecordError, toCardRecords } from '../../src/identity/card-record.ts';
import { readRangeStore } from '../../src/logs/identity/range-store.ts';
import { createTestFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

const AGENT = 'https://bot.example';
const URL = `${AGENT}/card.json`;
const CARD = {
  client_id: URL,
  client_name: 'Example Bot',
  jwks_uri: `${AGENT}/.well-known/http-message-signatures-directory`,
  web_bot_auth: {
    'rfc9309-product-token': 'ExampleBot',
    'rfc9309-compliance': true,
    trigger: 'crawler',
    ips_uri: `${AGENT}/ips.json`,
  },
};
const read = (own: object) =>
  toCardRecords({ ...CARD, web_bot_auth: { ...CARD.web_bot_auth, ...own } }, URL, '2026-11-28');

describe('a card as records', () => {
  test('has the token, the promise, the addresses and the signatures', () => {
    const sources = [{ url: URL, kind: 'operator', date: '2026-11-28' }];
    expect(read({})).toEqual({
      crawlers: [
        {
          ...{ token: 'ExampleBot', operator: 'Example Bot', kind: 'crawler', purposes: [] },
          ...{ robotsTxt: 'obeys', description: expect.any(String), sources },
        },
      ],
      operators: [
        {
          ...{ operator: 'Example Bot', crawlers: ['ExampleBot'], robotsTxt: 'obeys', card: URL, sources },
          verification: [{ ranges: `${AGENT}/ips.json`, format: 'json' }, { signature: AGENT }],
        },
      ],
    });
  });

  test.each<[unknown, string, string]>([
    [true, 'obeys', 'obeys'],
    [false, 'may-ignore', 'ignores'],
    [undefined, 'undocumented', 'unknown'],
  ])('with rfc9309-compliance %s', (compliance, crawler, operator) => {
    const { crawlers, operators } = read({ 'rfc9309-compliance': compliance });
    expect([crawlers[0].robotsTxt, operators[0].robotsTxt]).toEqual([crawler, operator]);
  });

  test('of a fetcher for users, without addresses, and with keys at another place', () => {
    const { crawlers, operators } = toCardRecords(
      {
        jwks_uri: `${AGENT}/keys.json`,
        web_bot_auth: { 'rfc9309-product-token': 'X', trigger: 'fetcher' },
      },
      URL,
      '2026-11-28',
    );
    expect(crawlers[0]).toMatchObject({ kind: 'user-triggered-fetcher', operator: 'bot.example' });
    expect(operators[0]).toMatchObject({ verification: [] });
  });

  test.each(['Googlebot', 'googlebot', 'GPTBot', 'Googlebot-Image'])(
    'does not change the crawler %s of the catalogue',
    (token) => {
      expect(() => read({ 'rfc9309-product-token': token })).toThrow(CardRecordError);
    },
  );

  test.each([undefined, 7, null])('needs a token: %j', (token) => {
    expect(() => read({ 'rfc9309-product-token': token })).toThrow('the card has no rfc9309-product-token');
    expect(() => toCardRecords({ web_bot_auth: 'x' }, URL, '2026-11-28')).toThrow(CardRecordError);
  });
});

describe('maycrawl identity record', () => {
  let card: (origin: string) => unknown = () => ({});
  const server = createServer(({ url }, response) => {
    const { port } = server.address() as AddressInfo;
    const body =
      url === '/ips.json'
        ? { creationTime: '2026-11-27T00:00:00Z', prefixes: [{ ipv4Prefix: '192.0.2.0/24' }] }
        : card(`http://127.0.0.1:${port}`);
    response.writeHead(url === '/none' ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const start = async (): Promise<string> => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const print = async (path = '/card') => runHere(['identity', 'record', `${await start()}${path}`]);

  test('prints what --crawlers accepts', async () => {
    card = (origin) => ({ ...CARD, client_id: `${origin}/card` });
    const { code, stdout, stderr } = await print();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const file = join(createTestFolder('records'), 'bot.json');
    writeFileSync(file, stdout);
    const find = createOperatorFinder(await readCatalogue(file));
    expect(find('examplebot')).toMatchObject({
      operator: 'Example Bot',
      card: `${await start()}/card`,
      verification: [{ ranges: `${AGENT}/ips.json`, format: 'json' }, { signature: AGENT }],
    });
  });

  test('gives logs ranges update the list of addresses of a crawler', async () => {
    const folder = createTestFolder('records');
    card = (origin) => ({ ...CARD, client_id: `${origin}/card` });
    const records = JSON.parse((await print()).stdout);
    records.operators[0].verification[0].ranges = `${await start()}/ips.json`;
    const file = join(folder, 'bot.json');
    writeFileSync(file, JSON.stringify({ crawlers: records.crawlers, operators: records.operators }));
    const find = createOperatorFinder(await readCatalogue(file));
    const { updateRanges } = await import('../../src/logs/identity/update-ranges.ts');
    const ranges = join(folder, 'ranges');
    const results = await updateRanges({
      ...{ folder: ranges, crawlers: records.crawlers, findOperator: find, userAgent: 'test' },
      ...{ allowPrivateAddresses: true, timeout: 60_000 },
    });
    expect(results).toMatchObject([{ crawler: 'ExampleBot', prefixes: 1 }]);
    expect((await readRangeStore(ranges)).lists).toMatchObject([{ crawler: 'ExampleBot' }]);
  });

  test.each<[string, (origin: string) => unknown, string]>([
    ['of another URL', () => CARD, 'client_id of the card is not its URL'],
    ['that is no JSON', () => '{', 'the file is not a JSON object'],
    [
      'without a token',
      (origin) => ({ client_id: `${origin}/card`, jwks_uri: CARD.jwks_uri }),
      'no rfc9309-product-token',
    ],
    [
      'of a crawler of the catalogue',
      (origin) => ({
        ...{ ...CARD, client_id: `${origin}/card` },
        web_bot_auth: { 'rfc9309-product-token': 'Googlebot' },
      }),
      'Googlebot is a crawler of the catalogue',
    ],
    [
      'with a URL that is too long',
      (origin) => ({
        ...{ ...CARD, client_id: `${origin}/card` },
        web_bot_auth: { 'rfc9309-product-token': 'X', ips_uri: `${AGENT}/${'x'.repeat(400)}` },
      }),
      'the card has no valid record',
    ],
  ])('refuses a card %s', async (_, own, message) => {
    card = own;
    const { code, stdout, stderr } = await print();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  test('needs a response with the status 200, and a URL', async () => {
    expect(await print('/none')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the status is not 200 (404)'),
    });
    expect(await runHere(['identity', 'record', 'bot.example'])).toMatchObject({
      ...{ code: 2, stderr: 'maycrawl: not the URL of a card: bot.example\n' },
    });
  });
});

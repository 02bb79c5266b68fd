/**
 * Webhooks: one POST, whose status is the answer (docs/watch-messages.md).
 *
 * @module
 */

import {
  connectTo,
  createAddressPolicy,
  createSingleConnector,
  getSharedResolver,
} from '@maycrawl/client/http';
import { retryTimeOf } from '@maycrawl/client/origins';
import { readStart } from '@maycrawl/client/streams';
import { Client } from 'undici';
import { toJson, toSlackText } from './bodies.ts';
import type { Message } from './message.ts';
import { plainId } from './plain.ts';
import { type Delivery, DeliveryError } from './receipt.ts';
import { signBody } from './signature.ts';

/** What is read of an answer's body, which nobody looks at. */
const MAX_BYTES = 65_536;
/** A receiver cannot put a message off for longer, in milliseconds. */
const MAX_RETRY_AFTER = 86_400_000;

/**
 * Statuses that the same message would get again: it is malformed, too large or of the wrong type for the receiver, or the receiver
 * says that it has gone for good. Not 401, 403 and 404, which deployments and changed passwords bring about for a while.
 */
const FINAL = new Set([400, 405, 410, 413, 415, 422]);

/** Sends the message in JSON, signed if there is a secret. */
export async function postMessage(url: string, message: Message, delivery: Delivery): Promise<void> {
  const body = toJson(message);
  const secret = delivery.environment['MAYCRAWL_WEBHOOK_SECRET'];
  await post(url, body, delivery, {
    'idempotency-key': plainId(message.id),
    ...(secret ? { 'maycrawl-signature': signBody(body, secret, delivery.now()) } : {}),
  });
}

/** Sends the message as Slack, and those who do as Slack does, take it. */
export async function postToSlack(url: string, message: Message, delivery: Delivery): Promise<void> {
  const body = { text: toSlackText(message), unfurl_links: false, unfurl_media: false };
  await post(url, JSON.stringify(body), delivery, {});
}

async function post(
  url: string,
  body: string,
  { signal, now, allowPrivate }: Delivery,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { origin, pathname, search, username, password } = new URL(url);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const policy = createAddressPolicy({ allowPrivate, openOrigins: [origin] });
  const socket = await connectTo(origin, { resolver: getSharedResolver(), policy, signal });
  const client = new Client(origin, {
    connect: createSingleConnector(socket),
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${pathname}${search}`,
      signal,
      headers: {
        'user-agent': 'maycrawl',
        'content-type': 'application/json',
        ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
        ...headers,
      },
      body,
    });
    // A receiver that is interrupted in its answer may take back what it did. What comes of the body does not matter.
    await readStart(answer.body, MAX_BYTES).catch(() => {});
    const retryAfter = [answer.headers['retry-after'] ?? []].flat()[0] ?? null;
    judge(answer.statusCode, retryAfter, now());
  } finally {
    await client.destroy();
    socket.destroy();
  }
}

/** @throws {DeliveryError} unless the message was taken. */
function judge(status: number, retryAfter: string | null, now: number): void {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400)
    throw new DeliveryError(
      'redirect',
      `the receiver answered ${status}, and redirects are not followed: write the URL that it leads to`,
    );
  const isWait = status === 429 || status === 503;
  const asked = isWait ? retryTimeOf(retryAfter, now) : null;
  const retryAt = asked === null ? null : Math.min(Math.max(asked, now), now + MAX_RETRY_AFTER);
  const isFinal = FINAL.has(status);
  const advice = status === 401 || status === 403 || status === 404 ? ': check the URL of the target' : '';
  throw new DeliveryError('http-status', `the receiver answered ${status}${advice}`, { retryAt, isFinal });
}

// Webhooks: one POST request, whose status is the result (docs/watch-messages.md).

import {
  connectTo,
  createAddressPolicy,
  getSharedResolver,
  isOverloaded,
  parseRetryAfter,
  sendSingleRequest,
} from '@maycrawl/client/internal';
import { readStart } from '@maycrawl/core/internal';
import type { Message } from '../../message.ts';
import { plainId } from '../../plain.ts';
import { toJson, toSlackText } from '../messages/bodies.ts';
import { type Delivery, DeliveryError } from './receipt.ts';
import { signBody } from './signature.ts';

/** Bytes of the response's body that are received. They are not used. */
const MAX_BYTES = 65_536;
/** A receiver cannot postpone a message for longer, in milliseconds. */
const MAX_RETRY_AFTER = 86_400_000;

/**
 * Statuses that the same message would receive again: it is malformed, too large or of the wrong type, or the receiver is gone for
 * good. Not 401, 403 and 404, which deployments and changed passwords cause for a while.
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

/** Sends the message in the format of Slack and of services that are compatible with it. */
export async function postToSlack(url: string, message: Message, delivery: Delivery): Promise<void> {
  const body = { text: toSlackText(message), unfurl_links: false, unfurl_media: false };
  await post(url, JSON.stringify(body), delivery, {});
}

async function post(
  url: string,
  body: string,
  { signal, now, allowPrivateAddresses }: Delivery,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { origin, username, password } = new URL(url);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const policy = createAddressPolicy({ allowPrivateAddresses, openOrigins: [origin] });
  const socket = await connectTo(origin, { resolver: getSharedResolver(), policy, signal });
  const response = await sendSingleRequest(socket, url, {
    method: 'POST',
    headers: {
      'user-agent': 'maycrawl',
      'content-type': 'application/json',
      ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
      ...headers,
    },
    body,
    maxBytes: MAX_BYTES,
    signal,
  });
  try {
    // A receiver may roll back if its response is cut off. A body that cannot be read does not matter.
    await readStart(response.body, MAX_BYTES).catch(() => {});
    const [retryAfter = null] = [response.headers['retry-after'] ?? []].flat();
    requireDelivered(response.status, retryAfter, now());
  } finally {
    await response.close();
  }
}

/** Requires a status that means success. @throws {DeliveryError} */
function requireDelivered(status: number, retryAfter: string | null, now: number): void {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400)
    throw new DeliveryError(
      'redirect',
      `the receiver answered ${status}, and redirects are not followed: use the URL of its target`,
    );
  const wanted = isOverloaded(status) ? parseRetryAfter(retryAfter, now) : null;
  const retryAt = wanted === null ? null : Math.min(Math.max(wanted, now), now + MAX_RETRY_AFTER);
  const isFinal = FINAL.has(status);
  const advice = status === 401 || status === 403 || status === 404 ? ': check the URL of the target' : '';
  throw new DeliveryError('http-status', `the receiver answered ${status}${advice}`, { retryAt, isFinal });
}

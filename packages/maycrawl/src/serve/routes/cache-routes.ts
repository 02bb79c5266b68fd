// `/v1/cache/invalidate`: stored responses that must be fetched again.
import type { FastifyInstance } from 'fastify';
import {
  Invalidation,
  type InvalidationTarget,
  JOURNAL_INTERVAL,
  MAX_INVALIDATED,
  MAX_TARGET,
} from '../decide/invalidation.ts';
import { parseOrigin } from '../decide/sites.ts';
import { Problem } from '../http/problems.ts';
import type { LogFailure } from '../server/log-failure.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

interface Body {
  readonly origin?: string;
  readonly prefix?: string;
  readonly after?: string;
}

const target = { type: 'string', maxLength: MAX_TARGET } as const;

const BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    origin: { ...target, description: 'An origin such as https://example.com, or any URL of it.' },
    prefix: {
      ...target,
      description: `The beginning of origins, at least the scheme and a character of the host; up to ${MAX_INVALIDATED} of them.`,
    },
    after: { ...target, description: 'With a prefix: "next" of the response before.' },
  },
} as const;

const count = { type: 'integer', minimum: 0 } as const;
const RESPONSE = {
  type: 'object',
  required: ['invalidated', 'outages', 'busy', 'next'],
  properties: {
    invalidated: { ...count, description: 'Origins whose response must be revalidated.' },
    outages: { ...count, description: 'Origins in an outage: nothing is changed.' },
    busy: { ...count, description: 'Origins that are being fetched: repeat the request for them.' },
    next: {
      ...schemas.orNull(schemas.text),
      description: 'The value of "after" for the next request; null at the end.',
    },
  },
} as const;

/** Adds the route, and reads what other instances invalidate. */
export function addCacheRoutes(api: FastifyInstance, context: Context, logFailure: LogFailure): void {
  const { decider, entries, now } = context;
  const invalidation = new Invalidation({
    ...{ entries, now },
    expire: (isExpired) => decider.expire(isExpired),
  });
  let reading: Promise<void> | undefined;
  const read = (): void => {
    reading ??= invalidation
      .readJournal()
      .catch((err: unknown) => logFailure({ err }, 'the invalidations of other instances could not be read'))
      .finally(() => {
        reading = undefined;
      });
  };
  const timer = setInterval(read, JOURNAL_INTERVAL).unref();
  api.addHook('onClose', async () => {
    clearInterval(timer);
    await reading;
  });
  const summary = 'Invalidates stored robots.txt files: they are revalidated before they are used again';
  const options = schemas.createReportOptions('invalidate', summary, { body: BODY }, RESPONSE);
  api.post<{ Body: Body }>(
    '/v1/cache/invalidate',
    { ...options, schema: { ...options.schema, security: [{ invalidateToken: [] }] } },
    async ({ body }) => invalidation.invalidate(toTarget(body), body.after),
  );
}

/** @throws {Problem} if there is not exactly one target. */
function toTarget({ origin, prefix, after }: Body): InvalidationTarget {
  if ((origin === undefined) === (prefix === undefined))
    throw new Problem('invalid-request', 'the body needs either "origin" or "prefix"');
  if (prefix === undefined) {
    if (after !== undefined) throw new Problem('invalid-request', '"after" is only allowed with "prefix"');
    return { origin: parseOrigin(origin as string) };
  }
  if (/^(?:https?|ftp):\/\/[a-z0-9[][a-z0-9.:[\]_-]*$/.test(prefix)) return { prefix };
  const detail = 'a prefix is a scheme and the beginning of a host in lower case, such as https://shop.';
  throw new Problem('invalid-request', detail);
}

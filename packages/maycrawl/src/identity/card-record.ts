// Reads a Signature Agent Card (draft-meunier-webbotauth-registry-04) as records of a crawler and its operator.
//
// A card says what its author wants. Records of the catalogue have sources, so a card never changes them.
import { toAgentOrigin } from '@maycrawl/client/internal';
import {
  CRAWLER_RECORDS,
  type CrawlerRecord,
  type OperatorRecord,
  type VerificationMethod,
} from '@maycrawl/core/crawlers';
import { isObject, truncate } from '@maycrawl/core/internal';

/** Characters of a text of a record. */
const MAX_TEXT = 300;

/** Records in the form of a file of crawlers. */
export interface CardRecords {
  readonly crawlers: readonly [CrawlerRecord];
  readonly operators: readonly [OperatorRecord];
}

/** A card cannot be read as a record. The message is one line, which may have text of the card. */
export class CardRecordError extends Error {
  override readonly name = 'CardRecordError';
  readonly code = 'no-record';
}

/**
 * Reads a card that has no errors.
 *
 * @param url - where the card is from.
 * @param day - when it was requested, such as `2026-11-28`.
 * @throws {CardRecordError} if it names no crawler, or one of the catalogue.
 */
export function toCardRecords(
  card: Readonly<Record<string, unknown>>,
  url: string,
  day: string,
): CardRecords {
  const details = isObject(card['web_bot_auth']) ? card['web_bot_auth'] : {};
  const token = details['rfc9309-product-token'];
  if (typeof token !== 'string') throw new CardRecordError('the card has no rfc9309-product-token');
  if (isDocumented(token))
    throw new CardRecordError(`${token} is a crawler of the catalogue, which a card does not change`);
  const { client_name: name, jwks_uri: keys } = card;
  const { trigger, ips_uri: ips, 'rfc9309-compliance': promise } = details;
  const operator = truncate(typeof name === 'string' && name !== '' ? name : new URL(url).host, MAX_TEXT);
  const sources = [{ url, kind: 'operator', date: day }] as const;
  const agent = typeof keys === 'string' ? toAgentOrigin(keys) : undefined;
  const verification: VerificationMethod[] = [
    ...(typeof ips === 'string' ? [{ ranges: ips, format: 'json' } as const] : []),
    ...(agent === undefined ? [] : [{ signature: agent }]),
  ];
  return {
    crawlers: [
      {
        ...{ token, operator, purposes: [] },
        kind: trigger === 'fetcher' ? 'user-triggered-fetcher' : 'crawler',
        robotsTxt: promise === true ? 'obeys' : promise === false ? 'may-ignore' : 'undocumented',
        description: 'Describes itself by a Signature Agent Card.',
        sources,
      },
    ],
    operators: [
      {
        ...{ operator, crawlers: [token], verification, card: url },
        robotsTxt: promise === true ? 'obeys' : promise === false ? 'ignores' : 'unknown',
        sources,
      },
    ],
  };
}

/** Whether a record of the catalogue has a name. */
function isDocumented(token: string): boolean {
  const name = token.toLowerCase();
  return CRAWLER_RECORDS.some((record) =>
    [record.token, record.name, record.header].some((each) => each?.toLowerCase() === name),
  );
}

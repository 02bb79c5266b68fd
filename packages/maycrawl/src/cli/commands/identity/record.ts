// `maycrawl identity record`: a Signature Agent Card as records of a crawler and its operator.
import { parseCrawlerRecords, parseOperatorRecords } from '@maycrawl/core/crawlers';
import { parseUrl } from '@maycrawl/core/url';
import { DocumentError } from '../../../documents/document-requests.ts';
import { CardRecordError, type CardRecords, toCardRecords } from '../../../identity/card-record.ts';
import { requestCard } from '../../../identity/check-identity.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson } from '../../output/standard-output.ts';
import type { CardRecordOptions } from './options.ts';

/**
 * Prints the records of a card.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if there is no card, or it has errors.
 */
export async function printCardRecord(
  [name = '']: readonly string[],
  { userAgent, timeout, allowPrivate }: CardRecordOptions,
): Promise<number> {
  const url = parseUrl(name);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`not the URL of a card: ${visible(name)}`);
  try {
    const options = { userAgent, timeout, openOrigins: [url.href] };
    const { card, findings } = await requestCard(url.href, {
      ...options,
      allowPrivateAddresses: allowPrivate === true ? true : undefined,
    });
    // A test server may have no certificate.
    const error = findings.find(({ code, severity }) => severity === 'error' && code !== 'not-https');
    if (card === undefined || error !== undefined) {
      const { text = '', detail = null } = error ?? {};
      throw new CommandError(
        `${visible(url.href)}: ${text}${detail === null ? '' : ` (${visible(detail)})`}; maycrawl identity check finds all problems`,
      );
    }
    const records = toCardRecords(card, url.href, new Date().toISOString().slice(0, 10));
    requireAccepted(records);
    printJson(records, 2);
    return 0;
  } catch (cause) {
    if (cause instanceof DocumentError || cause instanceof CardRecordError)
      throw new CommandError(`${visible(url.href)}: ${visible(cause.message)}`, { cause });
    throw cause;
  }
}

/** What is printed is what --crawlers accepts. @throws {CardRecordError} if it does not: a text can be too long. */
function requireAccepted(records: CardRecords): void {
  try {
    parseCrawlerRecords(records);
    parseOperatorRecords(records);
  } catch (cause) {
    throw new CardRecordError(`the card has no valid record: ${(cause as Error).message}`, { cause });
  }
}

import fc from 'fast-check';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import type { Alert, Message } from '../../../src/watch/message.ts';
import { type DeliveryOptions, deliver } from '../../../src/watch/notifications/delivery/deliver.ts';
import type { Receipt } from '../../../src/watch/notifications/delivery/receipt.ts';
import { parseTarget } from '../../../src/watch/notifications/targets/target.ts';

export const NOW: number = Date.UTC(2026, 10, 21, 10, 0, 0);

export function toAlert(changes: Partial<Alert> = {}): Alert {
  return {
    id: 'event-1',
    at: NOW,
    origin: 'https://example.com',
    severity: 'error',
    title: 'https://example.com: newly blocked: /shop/* for Googlebot, 312 of your 5,000 URLs',
    text: 'https://example.com/shop/1\nhttps://example.com/shop/2',
    version: 7,
    details: { blocked: 312 },
    ...changes,
  };
}

export function createMessage(...alerts: readonly Partial<Alert>[]): Message {
  return { id: 'message-1', alerts: alerts.map(toAlert) };
}

/** Delivers a message to a target in its text form. The default timeout is five seconds. */
export function deliverTo(
  target: string,
  options: Partial<DeliveryOptions> = {},
  message: Message = createMessage({}),
): Promise<Receipt> {
  return deliver(parseTarget(target), message, {
    environment: {},
    now: () => NOW,
    timeout: 5000,
    ...options,
  });
}

/** Texts of a hostile site: markup, line breaks and control characters of every output format. */
export const hostile: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        ...['\r\n', '\n', '\r', '\0', '\u2028', '\u202e', '\u200b', '\ud800', '\udc00', '\ufffe', '\uffff'],
        ...[
          '```',
          '`',
          '*',
          '_',
          '~',
          '<!channel>',
          '<https://evil.example|here>',
          '<@U1>',
          '&',
          '&lt;',
          '&amp;lt;',
        ],
        ...['\r\nBcc: evil@evil.example', '\n\n<script>', '=?utf-8?Q?=0ABcc:?=', ' ', '\t', 'x'.repeat(400)],
        ...[
          ']]>',
          '<![CDATA[',
          '</title><entry>',
          '<?xml',
          '<!DOCTYPE a>',
          '"',
          "'",
          '&#0;',
          '<!--',
          '://',
          '__proto__',
        ],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** Alerts whose texts are all hostile. */
export const hostileAlert: fc.Arbitrary<Alert> = fc.record({
  id: hostile,
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  origin: hostile,
  severity: fc.constantFrom('info', 'warning', 'error'),
  title: hostile,
  text: hostile,
  version: fc.option(fc.nat()),
  details: fc.dictionary(hostile, hostile, { maxKeys: 3 }),
});

export const hostileMessage: fc.Arbitrary<Message> = fc.record({
  id: hostile,
  alerts: fc.array(hostileAlert, { minLength: 1, maxLength: 30 }),
});

/** Characters that no output may contain unescaped. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/u;

export const RUNS = { numRuns: getFuzzRuns(200) };

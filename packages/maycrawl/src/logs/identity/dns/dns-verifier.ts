// Verifies addresses by reverse DNS that a forward lookup confirms, as operators document it.
import { checkOptions } from '@maycrawl/core/internal';
import { LRUCache } from 'lru-cache';
import { parseIpAddress, toBits } from '../address.ts';
import type { DnsVerifier, MethodResult } from '../identity.ts';
import type { DnsLookups } from './dns-lookups.ts';

/** Names of one address that are looked up. Others can write any number of them. */
const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 253;
/** Addresses with results that are cached. */
const MAX_CACHED = 100_000;

/** Limits of verification. */
export interface DnsVerifierOptions {
  /** Addresses that are looked up. The result of further ones is unknown. @defaultValue 10,000 */
  readonly maxAddresses?: number;
}

/** What a verifier has done. */
interface DnsCounts {
  /** Addresses that were looked up. */
  readonly addresses: number;
  /** Those of them without a result, because name servers failed. */
  readonly failures: number;
  /** Requests whose addresses were not looked up because of the limit. */
  readonly skipped: number;
}

/** A verifier with its counts. */
export interface CountingDnsVerifier extends DnsVerifier {
  readonly counts: DnsCounts;
}

/**
 * Creates a verifier.
 *
 * A match: one of the names of the address is one of the operator, and its addresses contain the address. A mismatch: name servers say that
 * the address has no such name, or that the name has other addresses. Unknown: they do not respond, or fail.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 */
export function createDnsVerifier(
  lookups: DnsLookups,
  options: DnsVerifierOptions = {},
): CountingDnsVerifier {
  checkOptions<DnsVerifierOptions>('createDnsVerifier', options, {
    maxAddresses: 'number',
  });
  const { maxAddresses = 10_000 } = options;
  const cache = new LRUCache<string, MethodResult | Promise<MethodResult>>({ max: MAX_CACHED });
  const counts = { addresses: 0, failures: 0, skipped: 0 };
  return {
    counts,
    verify: (address, masks) => {
      const key = `${address} ${masks.join(' ')}`;
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      if (counts.addresses >= maxAddresses) {
        counts.skipped++;
        return 'unknown';
      }
      counts.addresses++;
      const running = lookUp(lookups, address, masks).then((result) => {
        if (result === 'unknown') counts.failures++;
        // Later requests need no promise.
        cache.set(key, result);
        return result;
      });
      cache.set(key, running);
      return running;
    },
  };
}

async function lookUp(lookups: DnsLookups, address: string, masks: readonly string[]): Promise<MethodResult> {
  const names = await lookups.reverse(address);
  if (names === undefined) return 'unknown';
  const own = toKey(address);
  let result: MethodResult = 'mismatch';
  for (const name of names.filter((each) => isNamedLike(each, masks)).slice(0, MAX_NAMES)) {
    const addresses = await lookups.forward(name);
    if (addresses?.some((each) => toKey(each) === own)) return 'match';
    if (addresses === undefined) result = 'unknown';
  }
  return result;
}

function toKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed === undefined ? `no address ${address}` : `${typeof parsed} ${toBits(parsed)}`;
}

/**
 * Checks whether a name is one of some masks. `*.` stands for one or several labels, so that `*.googlebot.com` has neither
 * `evilgooglebot.com` nor `googlebot.com`.
 */
export function isNamedLike(name: string, masks: readonly string[]): boolean {
  const host = name.toLowerCase().replace(/\.$/, '');
  if (host.length > MAX_NAME_LENGTH || !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return false;
  return masks.some((mask) => {
    const own = mask.toLowerCase();
    return own.startsWith('*.') ? host.endsWith(own.slice(1)) && host.length >= own.length : host === own;
  });
}

// Whether a request comes from the crawler that its User-Agent header names.

import { findOperator, type OperatorFinder } from '@maycrawl/core/crawlers';
import { checkOptions } from '@maycrawl/core/internal';
import { LRUCache } from 'lru-cache';
import type { LogRequest } from '../request.ts';
import { type ParsedAddress, parseIpAddress } from './address.ts';
import type { CrawlerRanges, RangeStore } from './range-store.ts';

/**
 * `verified`: a method of the operator confirms the request. `spoofed`: a method was applied, and none confirms the request.
 * `unverifiable`: the operator publishes no method, or the log has no usable address. `unchecked`: no method could be applied.
 */
export type Identity = 'verified' | 'spoofed' | 'unverifiable' | 'unchecked';

/** All identities. */
export const IDENTITIES: readonly Identity[] = /* @__PURE__ */ Object.freeze([
  'verified',
  'spoofed',
  'unverifiable',
  'unchecked',
]);

/** What a method says about a request. `unknown`: it was not applied, or gave no result. */
export type MethodResult = 'match' | 'mismatch' | 'unknown';

/** Verifies addresses by DNS. */
export interface DnsVerifier {
  /**
   * Verifies an address.
   *
   * @param address - as the log has it.
   * @param masks - names of hosts of the operator, as in `DnsMethod`.
   */
  verify(address: string, masks: readonly string[]): MethodResult | Promise<MethodResult>;
}

/** Verifies signatures of requests. */
export interface SignatureVerifier {
  /** Verifies the signature of a request. @param agents - origins that requests of the crawler name as Signature-Agent. */
  verify(request: LogRequest, agents: readonly string[]): MethodResult | Promise<MethodResult>;
}

/** What identities are found with. */
export interface IdentifierOptions {
  /** Lists of addresses. @defaultValue none */
  readonly ranges?: RangeStore | undefined;
  /** @defaultValue no lookups */
  readonly dns?: DnsVerifier | undefined;
  /** @defaultValue signatures are not verified */
  readonly signatures?: SignatureVerifier | undefined;
  /** @defaultValue the catalogue */
  readonly findOperator?: OperatorFinder | undefined;
}

/** Finds the identity of a request. Without DNS and signatures it is synchronous. */
export type Identifier = (request: LogRequest) => Identity | Promise<Identity>;

/** Crawlers of which the methods are cached. Names in a hostile log are unbounded. */
const MAX_CRAWLERS = 10_000;

/** The methods of a crawler. */
interface Methods {
  readonly ranges: CrawlerRanges | undefined;
  /** Whether the lists do not have all addresses. */
  readonly isPartial: boolean;
  readonly masks: readonly string[];
  readonly agents: readonly string[];
  /** Whether the operator publishes a method. Lists that the user stored are one. */
  readonly isVerifiable: boolean;
}

/**
 * Creates a function that finds identities.
 *
 * - `verified`: the address is in the list that was valid at the time, or reverse and forward DNS agree with a name of the operator, or the
 *   signature of the request verifies with a key of the operator.
 * - `spoofed`: one of these was applied, fails, and no other one succeeds. An address outside a list that is not complete, and a request
 *   before the first list, do not fail.
 * - `unverifiable`: the operator publishes no method, or the log has no usable address.
 * - `unchecked`: the rest.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 */
export function createIdentifier(options: IdentifierOptions = {}): Identifier {
  checkOptions<IdentifierOptions>('createIdentifier', options, {
    ...{ ranges: 'object', dns: 'object', signatures: 'object', findOperator: 'function' },
  });
  const { dns, signatures } = options;
  const cache = new LRUCache<string, Methods>({ max: MAX_CRAWLERS });
  const getMethods = (crawler: string): Methods => {
    const cached = cache.get(crawler);
    if (cached !== undefined) return cached;
    const methods = findMethods(crawler, options);
    cache.set(crawler, methods);
    return methods;
  };
  return (request) => {
    const methods = getMethods(request.crawler);
    const address = request.address === null ? undefined : parseIpAddress(request.address);
    const byRanges = address === undefined ? 'unknown' : checkRanges(methods, address, request.time);
    if (byRanges === 'match') return 'verified';
    const isSigned = signatures !== undefined && request.signature !== null && methods.agents.length > 0;
    const needsDns = dns !== undefined && address !== undefined && methods.masks.length > 0;
    if (!isSigned && !needsDns) return conclude(methods, address, [byRanges]);
    const finish = (bySignature: MethodResult): Identity | Promise<Identity> => {
      if (bySignature === 'match') return 'verified';
      const byDns = needsDns ? dns.verify(request.address as string, methods.masks) : 'unknown';
      return continueWith(byDns, (each) => conclude(methods, address, [byRanges, bySignature, each]));
    };
    return continueWith(isSigned ? signatures.verify(request, methods.agents) : 'unknown', finish);
  };
}

/** Results that are cached need no promise. */
function continueWith<T>(
  result: MethodResult | Promise<MethodResult>,
  next: (result: MethodResult) => T | Promise<T>,
): T | Promise<T> {
  return typeof result === 'string' ? next(result) : result.then(next);
}

function findMethods(
  crawler: string,
  { ranges, findOperator: find = findOperator }: IdentifierOptions,
): Methods {
  const { verification = [] } = find(crawler) ?? {};
  const lists = ranges?.get(crawler);
  return {
    ranges: lists,
    isPartial: verification.some((method) => 'ranges' in method && method.partial === true),
    masks: verification.flatMap((method) => ('dns' in method ? method.dns : [])),
    agents: verification.flatMap((method) => ('signature' in method ? [method.signature] : [])),
    isVerifiable: verification.length > 0 || lists !== undefined,
  };
}

function checkRanges({ ranges, isPartial }: Methods, address: ParsedAddress, time: number): MethodResult {
  const result = ranges?.check(address, time) ?? 'no-list';
  if (result === 'inside') return 'match';
  return result === 'outside' && !isPartial ? 'mismatch' : 'unknown';
}

function conclude(
  { isVerifiable }: Methods,
  address: ParsedAddress | undefined,
  results: readonly MethodResult[],
): Identity {
  if (!isVerifiable) return 'unverifiable';
  if (results.includes('match')) return 'verified';
  if (results.includes('mismatch')) return 'spoofed';
  return address === undefined ? 'unverifiable' : 'unchecked';
}

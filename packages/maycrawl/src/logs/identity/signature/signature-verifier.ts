// Verifies the signatures of logged requests (RFC 9421, draft-ietf-webbotauth-httpsig-protocol-01).
//
// A key is that of an origin: it is looked up by the pair of both, and the origin must be one that the operator of the crawler signs with.
// Anyone can sign as an origin of their own.
import {
  buildSignatureBase,
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  type KeyDirectory,
  type PublicKey,
  parseDictionary,
  parseItem,
  REQUEST_TAG,
  toAgentOrigin,
  verifyWithKey,
} from '@maycrawl/client/internal';
import type { LogRequest, SignatureFields } from '../../request.ts';
import type { MethodResult, SignatureVerifier } from '../identity.ts';
import type { KeySource } from './key-sources.ts';
import { createComponentReader } from './request-components.ts';

/** Signatures of one request that are verified. */
const MAX_SIGNATURES = 8;
/** How much the clocks of the agent and of the server may differ, in milliseconds. A log has whole seconds. */
const TOLERANCE = 60_000;
/** What a log does not say: the scheme, and how the agent writes a query that there is not. */
const ASSUMPTIONS = [
  { scheme: 'https', emptyQuery: '?' },
  { scheme: 'http', emptyQuery: '?' },
  { scheme: 'https', emptyQuery: '' },
  { scheme: 'http', emptyQuery: '' },
] as const;

/** A signature, and the agent that it covers. */
interface Candidate {
  readonly input: InnerList;
  readonly bytes: Uint8Array;
  readonly origin: string;
}

/**
 * Creates a verifier of signatures.
 *
 * A signature is a match if it is valid at the time of the request, covers its agent and the host, and verifies with a key of the agent. It is a
 * mismatch if it does not verify with the key, or is not valid at the time. All else is unknown: there is no key, the log lacks a
 * component, the fields cannot be read, the signature is not one of the agents.
 */
export function createSignatureVerifier(keys: KeySource): SignatureVerifier {
  return {
    verify: (request, agents) => {
      if (request.signature === null || agents.length === 0) return 'unknown';
      const origins = new Set(agents.flatMap((agent) => toAgentOrigin(agent) ?? []));
      const members = parseDictionary(request.signature.agent);
      const candidates = listCandidates(request.signature, members).filter(({ origin }) =>
        origins.has(origin),
      );
      return verifyFirst(request, members, candidates, keys);
    },
  };
}

/** Verifies candidates until one is a match. */
function verifyFirst(
  request: LogRequest,
  members: Dictionary | undefined,
  [candidate, ...rest]: readonly Candidate[],
  keys: KeySource,
): MethodResult | Promise<MethodResult> {
  if (candidate === undefined) return 'unknown';
  const conclude = (directory: KeyDirectory | undefined): MethodResult | Promise<MethodResult> => {
    const result =
      directory === undefined ? 'unknown' : verifyCandidate(request, members, candidate, directory);
    if (result === 'match') return result;
    const next = verifyFirst(request, members, rest, keys);
    const combine = (other: MethodResult): MethodResult => (other === 'unknown' ? result : other);
    return typeof next === 'string' ? combine(next) : next.then(combine);
  };
  const found = keys.get(candidate.origin);
  return found instanceof Promise ? found.then(conclude) : conclude(found);
}

function verifyCandidate(
  request: LogRequest,
  agents: Dictionary | undefined,
  { input, bytes }: Candidate,
  directory: KeyDirectory,
): MethodResult {
  const { parameters } = input;
  const [keyId, algorithm] = [parameters.get('keyid'), parameters.get('alg')];
  const key = keyId?.kind === 'string' ? directory.get(keyId.value as string) : undefined;
  if (key === undefined || !isKeyValid(key, request.time)) return 'unknown';
  if (algorithm !== undefined && algorithm.value !== key.algorithm) return 'mismatch';
  if (!isInTime(input, request.time)) return 'mismatch';
  const bases = ASSUMPTIONS.map((each) =>
    buildSignatureBase(input, createComponentReader(request, { ...each, agents })),
  );
  for (const base of new Set(bases)) {
    if (base === undefined) return 'unknown';
    if (verifyWithKey(key, base, bytes)) return 'match';
  }
  return 'mismatch';
}

function isKeyValid({ notBefore, notAfter }: PublicKey, time: number): boolean {
  return time >= notBefore - TOLERANCE && time <= notAfter + TOLERANCE;
}

/** Whether a signature was valid at a time. Both parameters are required. */
function isInTime({ parameters }: InnerList, time: number): boolean {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')];
  if (created?.kind !== 'integer' || expires?.kind !== 'integer') return false;
  const [from, until] = [(created.value as number) * 1000, (expires.value as number) * 1000];
  return from <= until && time >= from - TOLERANCE && time <= until + TOLERANCE;
}

/** The signatures of a request that are for this protocol, cover the host, and cover an agent. */
function listCandidates(
  { input, signature, agent }: SignatureFields,
  agents: Dictionary | undefined,
): Candidate[] {
  const [inputs, signatures] = [parseDictionary(input), parseDictionary(signature)];
  if (inputs === undefined || signatures === undefined) return [];
  const candidates = [...inputs].flatMap(([label, member]): Candidate[] => {
    const signed = signatures.get(label);
    if (!isInnerList(member) || signed === undefined || isInnerList(signed)) return [];
    const { kind, value } = signed.bare;
    const names = member.items.map(({ bare }) => bare.value);
    const coversHost = names.includes('@authority') || names.includes('@target-uri');
    if (kind !== 'bytes' || !coversHost || member.parameters.get('tag')?.value !== REQUEST_TAG) return [];
    const url = findAgent(label, member, agents ?? agent);
    const origin = url === undefined ? undefined : toAgentOrigin(url);
    return origin === undefined ? [] : [{ input: member, bytes: value as Uint8Array, origin }];
  });
  return candidates.slice(0, MAX_SIGNATURES);
}

/** Finds the agent that a signature covers: the member of its own label, or the whole field if that has one value. */
function findAgent(label: string, { items }: InnerList, agents: Dictionary | string): string | undefined {
  const covered = items.filter(({ bare }) => bare.value === 'signature-agent');
  const keys = covered.map(({ parameters }) => parameters.get('key')?.value);
  if (keys.includes(undefined)) {
    if (typeof agents !== 'string') return agents.size === 1 ? getUrl([...agents.values()][0]) : undefined;
    // The form of earlier drafts: one text, which some agents send without quotation marks.
    return getUrl(parseItem(agents));
  }
  if (typeof agents === 'string') return undefined;
  const key = keys.includes(label) ? label : keys[0];
  return getUrl(agents.get(String(key)));
}

/** The URL of a member, if keys are in the directory of its origin. */
function getUrl(member: Item | InnerList | undefined): string | undefined {
  if (member === undefined || isInnerList(member)) return undefined;
  const { bare, parameters } = member;
  const type = parameters.get('type')?.value ?? 'directory';
  return type === 'directory' && typeof bare.value === 'string' ? bare.value : undefined;
}

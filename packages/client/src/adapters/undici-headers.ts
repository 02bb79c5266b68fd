// Headers of requests in the forms that undici accepts: names and values in turn, pairs, or an object.
import type { Dispatcher } from '../http/undici.ts';

/** What `fetch` sends if its caller sets no User-Agent. */
const DEFAULTS: ReadonlySet<unknown> = new Set(['undici', 'node']);

type Headers = Dispatcher.DispatchOptions['headers'];

/** What an adapter adds to a request. */
interface AddedHeaders {
  /** The User-Agent, unless the request has one that is not that of `fetch`; `undefined` for none. */
  readonly userAgent: string | undefined;
  /** The names in lower case of headers that are replaced, also without a new value. */
  readonly replaced: readonly string[];
  /** The headers that replace those of the request with the same names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Adds headers to those of a request. @returns names and values in turn. */
export function addHeaders(
  headers: Headers,
  { userAgent, replaced, headers: added }: AddedHeaders,
): string[] {
  const pairs = toPairs(headers).filter(
    ([name, value]) => value !== undefined && !replaced.includes(name.toLowerCase()),
  );
  const agents = pairs.filter(([name]) => name.toLowerCase() === 'user-agent');
  const isReplaced = userAgent !== undefined && agents.every(([, value]) => DEFAULTS.has(value));
  const others = isReplaced ? pairs.filter((pair) => !agents.includes(pair)) : pairs;
  const all: Pair[] = [...others, ...Object.entries(added)];
  if (isReplaced) all.push(['user-agent', userAgent]);
  return all.flatMap(([name, value]) => [value ?? []].flat().flatMap((each) => [name, each]));
}

/** Returns whether headers are an object that has a User-Agent of its own. */
export function hasUserAgent(headers: Headers): boolean {
  if (headers === null || headers === undefined || Array.isArray(headers)) return false;
  const value = (headers as Readonly<Record<string, unknown>>)['user-agent'];
  return typeof value === 'string' && !DEFAULTS.has(value);
}

type Pair = readonly [name: string, value: string | readonly string[] | undefined];

function toPairs(headers: Headers): Pair[] {
  if (headers === null || headers === undefined) return [];
  if (!Array.isArray(headers)) {
    if (Symbol.iterator in headers) return [...(headers as Iterable<Pair>)];
    return Object.entries(headers as Record<string, string | string[] | undefined>);
  }
  if (Array.isArray(headers[0])) return headers as unknown as Pair[];
  const flat = headers as string[];
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]] as const] : []));
}

// The User-Agent header in the forms that undici accepts: names and values in turn, pairs, or an object.
import type { Dispatcher } from '../http/undici-types.ts';

/** What `fetch` sends if its caller sets no User-Agent. */
const DEFAULTS: ReadonlySet<unknown> = new Set(['undici', 'node']);

type Headers = Dispatcher.DispatchOptions['headers'];

/** Adds a User-Agent to headers that have none, or that of `fetch`. @returns names and values in turn. */
export function addUserAgent(headers: Headers, userAgent: string): string[] {
  const pairs = toPairs(headers);
  const named = pairs.filter(([name]) => name.toLowerCase() === 'user-agent');
  const hasOwn = named.some(([, value]) => value !== undefined && !DEFAULTS.has(value));
  const others = pairs.filter((pair) => !named.includes(pair));
  const all: Pair[] = hasOwn ? pairs : [...others, ['user-agent', userAgent]];
  return all.flatMap(([name, value]) => [value ?? []].flat().flatMap((each) => [name, each]));
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

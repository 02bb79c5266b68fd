// Results of DNS lookups in a file, for verification without a network.
//
// A line has an address, one of its names, and the addresses of this name with commas between them, separated by tabs; or it is a JSON
// object with `address`, `name` and `addresses`. An address with several names has several lines. `-` or `null` in place of the name says
// that the address has none. Without addresses, the forward lookup has no result. Empty lines, and lines that begin with `#`, are ignored.
import { readFile, stat } from 'node:fs/promises';
import { parseIpAddress, toBits } from '../address.ts';
import type { DnsLookups } from './dns-lookups.ts';

const MAX_BYTES = 100_000_000;
const MAX_LINES = 1_000_000;

/** A file of lookups cannot be read. The message is one line, and names the line of the file. */
export class DnsFileError extends Error {
  override readonly name = 'DnsFileError';
  readonly code = 'invalid-dns-file';
}

/** One line. */
interface Line {
  readonly address: string;
  /** `null`: the address has no name. */
  readonly name: string | null;
  /** `undefined`: unknown. */
  readonly addresses: readonly string[] | undefined;
}

/**
 * Reads a file of lookups. An address or a name that it does not have has no result.
 *
 * @throws {DnsFileError} if the file cannot be read, or has another form.
 */
export async function readDnsFile(path: string): Promise<DnsLookups> {
  const names = new Map<string, string[]>();
  const addresses = new Map<string, Set<string>>();
  for (const { address, name, addresses: own } of parseLines(await readText(path))) {
    const key = toKey(address);
    const found = names.get(key) ?? [];
    names.set(key, found);
    if (name === null) continue;
    found.push(name);
    if (own === undefined) continue;
    const all = addresses.get(name.toLowerCase()) ?? new Set();
    for (const each of own) all.add(each);
    addresses.set(name.toLowerCase(), all);
  }
  return {
    reverse: async (address) => names.get(toKey(address)),
    forward: async (name) => {
      const found = addresses.get(name.toLowerCase());
      return found && [...found];
    },
  };
}

/** One key for all forms of an address. */
function toKey(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed === undefined ? '' : `${typeof parsed === 'number' ? 4 : 6} ${toBits(parsed)}`;
}

async function readText(path: string): Promise<string> {
  try {
    if ((await stat(path)).size <= MAX_BYTES) return (await readFile(path)).toString();
  } catch (cause) {
    const { code = 'an error of the system' } = cause as NodeJS.ErrnoException;
    throw new DnsFileError(`cannot read the file: ${code}`, { cause });
  }
  throw new DnsFileError(`the file has more than ${MAX_BYTES} bytes`);
}

function* parseLines(text: string): Generator<Line> {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (++number > MAX_LINES) throw new DnsFileError(`the file has more than ${MAX_LINES} lines`);
    if (line === '' || line.startsWith('#')) continue;
    const parsed = line.startsWith('{') ? parseObject(line) : parseColumns(line);
    if (parsed === undefined || ![parsed.address, ...(parsed.addresses ?? [])].every(isAddress))
      throw new DnsFileError(`line ${number} is no lookup: an address, a name, and its addresses`);
    yield parsed;
  }
}

function isAddress(text: string): boolean {
  return parseIpAddress(text) !== undefined;
}

function parseColumns(line: string): Line | undefined {
  const [address = '', name, addresses, ...rest] = line.split('\t').map((column) => column.trim());
  if (name === undefined || name === '' || rest.length > 0) return undefined;
  return {
    address,
    name: name === '-' ? null : name,
    addresses: addresses?.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()])),
  };
}

function parseObject(line: string): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { address, name, addresses } = value as Readonly<Record<string, unknown>>;
  if (typeof address !== 'string' || (name !== null && (typeof name !== 'string' || name === '')))
    return undefined;
  if (addresses === undefined) return { address, name, addresses };
  if (!Array.isArray(addresses) || !addresses.every((each) => typeof each === 'string')) return undefined;
  return { address, name, addresses };
}

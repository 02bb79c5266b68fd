// What the system itself says about names: the hosts file (hosts(5)) and the search list of resolv.conf(5).
import { isIP } from 'node:net';

export const HOSTS_PATH: string =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';
/** Where the configuration of the system's resolver is. */
export const RESOLV_CONF_PATH = '/etc/resolv.conf';

export interface SearchList {
  readonly domains: readonly string[];
  /** Names with fewer dots are also searched for in the domains. */
  readonly minDots: number;
}

const MAX_DOMAINS = 6;
const MAX_DOTS = 15;

/**
 * Parses a hosts file.
 *
 * @returns the addresses of each name, which is in lower case.
 */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const end = line.indexOf('#');
    const [address = '', ...names] = (end === -1 ? line : line.slice(0, end)).trim().split(/[ \t]+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const addresses = hosts.get(key);
      if (addresses === undefined) hosts.set(key, [address]);
      else if (!addresses.includes(address)) addresses.push(address);
    }
  }
  return hosts;
}

/** Parses the search list in a resolv.conf. The last line of `search` or `domain` applies. */
export function parseSearchList(text: string): SearchList {
  let domains: string[] = [];
  let minDots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/[ \t]+/);
    if (keyword === 'search') domains = values.slice(0, MAX_DOMAINS);
    else if (keyword === 'domain') domains = values.slice(0, 1);
    else if (keyword === 'options')
      for (const value of values) {
        const [, dots] = /^ndots:(\d{1,3})$/.exec(value) ?? [];
        if (dots !== undefined) minDots = Math.min(Number(dots), MAX_DOTS);
      }
  }
  return {
    domains: domains.map((each) => each.replace(/^\.|\.$/g, '')).filter((each) => each !== ''),
    minDots,
  };
}

/**
 * Lists the names to query for a name, in order. A name without a dot is searched for in the domains first. A name with dots is
 * queried as it stands first: names of the public Internet must not cost a query for each domain.
 *
 * @param name - without a dot at its end.
 */
export function listCandidates(name: string, { domains, minDots }: SearchList): readonly string[] {
  const dots = name.split('.').length - 1;
  if (dots >= minDots) return [name];
  const inDomains = domains.map((domain) => `${name}.${domain}`);
  return dots === 0 ? [...inDomains, name] : [name, ...inDomains];
}

// The files that the servers and crawlers of the simulation write.
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A response to a request for robots.txt, or a request. Times are milliseconds since 1970. */
export interface SiteEvent {
  readonly time: number;
  readonly requester: string;
  /** How the server responded: a status or a word, a colon, and details. */
  readonly outcome: string;
}

/** What one part of the fleet has requested of one site. */
export interface Visits {
  readonly requests: SiteEvent[];
  readonly responses: SiteEvent[];
  /** When it decided that robots.txt is unreachable. */
  readonly unreachable: number[];
}

/** A request for a page, or a decision. */
export interface PageEvent {
  readonly time: number;
  readonly site: number;
  readonly path: string;
  readonly group: string;
}

interface Decision extends PageEvent {
  readonly verdict: string;
  readonly reason: string;
  readonly milliseconds: number;
}

async function* readLines(path: string): AsyncGenerator<string[]> {
  if (!existsSync(path)) return;
  for await (const line of createInterface({ input: createReadStream(path) })) yield line.split(' ');
}

/** Everything that the sites have recorded. */
export class SiteLog {
  readonly pages: PageEvent[] = [];
  readonly #visits: Map<string, Visits> = new Map();

  /** The keys are the name of a group, a space, and the number of a site. */
  get all(): ReadonlyMap<string, Visits> {
    return this.#visits;
  }

  getVisits(group: string, site: number): Visits {
    const key = `${group} ${site}`;
    const visits = this.#visits.get(key) ?? { requests: [], responses: [], unreachable: [] };
    this.#visits.set(key, visits);
    return visits;
  }
}

/** Reads the file of the sites. @param getGroup - of a requester. */
export async function readSiteLog(path: string, getGroup: (requester: string) => string): Promise<SiteLog> {
  const log = new SiteLog();
  for await (const [type, at, number, requester = '', text = ''] of readLines(path)) {
    const [time, site, group] = [Number(at), Number(number), getGroup(requester)];
    if (type === 'P') log.pages.push({ time, site, path: text, group });
    else {
      const { requests, responses } = log.getVisits(group, site);
      (type === 'R' ? requests : responses).push({ time, requester, outcome: text });
    }
  }
  return log;
}

/** Reads the file of a crawler. */
export async function* readDecisions(path: string, group: string): AsyncGenerator<Decision> {
  for await (const [time, site, url = '', verdict = '', reason = '', milliseconds] of readLines(path))
    yield {
      ...{ time: Number(time), site: Number(site), path: url, group, verdict, reason },
      milliseconds: Number(milliseconds),
    };
}

/** When a process could not use its store, in order. Crawlers write a time and a message, instances JSON. */
export async function readStoreFailures(path: string): Promise<number[]> {
  const times: number[] = [];
  for await (const words of readLines(path)) {
    const line = words.join(' ');
    if (!line.startsWith('{')) times.push(Number(words[0]));
    else if (line.includes('"store-failed"')) times.push((JSON.parse(line) as { time: number }).time);
  }
  return times;
}

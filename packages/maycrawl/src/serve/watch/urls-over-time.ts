/**
 * How many of an owner's URLs could be fetched, version after version. What holds while there is no file, or while the site cannot be
 * reached, is told apart from what the file says.
 *
 * @module
 */

import type { GoodAnswer, OriginHistory, Outage } from '@maycrawl/client';
import { weatherOf } from '@maycrawl/client/origins';
import { GOOGLE, parse, type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { ANY_OTHER_CRAWLER, listCrawlers, type NamedCrawler } from '@maycrawl/core/proofs';
import type { WatchJson } from '../../api/watch-api.ts';
import { type Holds, holdsAt } from '../../watch/meaning.ts';

/** A version of a site's file, and how long it was so. */
export interface TimedVersion {
  readonly number: number;
  readonly kind: 'found' | 'absent' | 'unreachable';
  readonly status: number | null;
  readonly code: string | null;
  /** Milliseconds since 1970; up to when the next version was seen, or now. */
  readonly from: number;
  readonly until: number;
  /** Up to when it would have counted without being seen again; `null` where there was no answer. */
  readonly freshUntil: number | null;
  readonly hash: string | null;
  /** `null` where there is none. */
  readonly file: Uint8Array | null;
}

/** What is asked. */
export interface UrlsQuestion {
  readonly origin: string;
  /** One a line, as they were given. */
  readonly urls: string;
  /** A few well-known ones if empty. */
  readonly agents: readonly string[];
  /** The oldest first. */
  readonly versions: readonly TimedVersion[];
  /** What held before the first of them; `null` if nothing is known. */
  readonly before: TimedVersion | null;
}

/** Where the owner names no crawlers. */
const USUAL = ['Googlebot', 'bingbot', 'GPTBot'];
/** More crawlers are not counted. */
const MAX_AGENTS = 8;
/** Of more URLs only as many are counted as this comes to: it takes a few seconds. */
const MAX_DECISIONS = 3_000_000;

/** Counts. It can take seconds. */
export function urlsOverTime({
  origin,
  urls,
  agents,
  versions,
  before,
}: UrlsQuestion): WatchJson<'UrlCounts'> {
  const files = new Map<string, RobotsTxt>();
  for (const { hash, file } of before === null ? versions : [before, ...versions])
    if (hash !== null && file !== null) files.set(hash, parse(file, { url: `${origin}/robots.txt` }));
  const crawlers = getCrawlers(agents, [...files.values()]);
  const nobody = parse('', { url: `${origin}/robots.txt` }).ruleset('nobody');
  const lines = urls.split(/\r?\n/).map((line) => line.trim());
  const own = lines.filter(
    (line) => line !== '' && !line.startsWith('#') && nobody.decide(line).kind !== 'out-of-scope',
  );
  const most = Math.floor(MAX_DECISIONS / Math.max(1, crawlers.length * files.size));
  const counted = own.slice(0, most);
  const counts = new Map<string, readonly number[]>();
  for (const [hash, file] of files)
    counts.set(
      hash,
      crawlers.map(({ crawler }) => {
        const ruleset = file.ruleset(crawler);
        return counted.filter((url) => ruleset.decide(url).kind === 'allowed').length;
      }),
    );
  const steps: WatchJson<'UrlStep'>[] = [];
  let good = before?.kind === 'unreachable' ? null : before;
  for (const version of versions) {
    const { number, kind, hash } = version;
    if (kind !== 'unreachable') good = version;
    const spells =
      kind === 'unreachable' ? spellsOf(version, good) : [{ at: version.from, holds: ruleOf(kind) }];
    for (const { at, holds } of spells) {
      const last = hash ?? good?.hash ?? null;
      const byFile = last === null ? undefined : counts.get(last);
      const all = holds === 'unreachable' || holds === 'unknown' ? 0 : counted.length;
      const allowed = holds === 'rules' && byFile ? byFile : crawlers.map(() => all);
      steps.push({ at, version: number, holds, allowed });
    }
  }
  const names = crawlers.map(({ name }) => (name === ANY_OTHER_CRAWLER ? 'any other crawler' : name));
  return { total: own.length, counted: counted.length, agents: names, steps };
}

function getCrawlers(agents: readonly string[], files: readonly RobotsTxt[]): NamedCrawler[] {
  const [other] = listCrawlers(files);
  const named = (agents.length === 0 ? USUAL : agents).slice(0, MAX_AGENTS).map(resolveAgent);
  return agents.length > 0 || other === undefined ? named : [...named, other];
}

const ruleOf = (kind: 'found' | 'absent'): Holds => (kind === 'found' ? 'rules' : 'absent');

const NO_HEADERS = {
  ...{ cacheControl: null, expires: null, date: null, age: null },
  ...{ etag: null, lastModified: null, retryAfter: null },
};

/** What an outage meant from when on. */
function spellsOf(
  { from, until, status, code }: TimedVersion,
  good: TimedVersion | null,
): { readonly at: number; readonly holds: Holds }[] {
  const told = { hops: [], timings: { total: 0 }, status, reason: '' };
  const outage: Outage = {
    ...{ ...told, since: from, lastAt: from, failures: 1, retryAt: null, saysNotFound: false },
    code: (code ?? 'status') as Outage['code'],
  };
  const answer: GoodAnswer | null =
    good === null || good.kind === 'unreachable'
      ? null
      : {
          ...{ ...told, kind: good.kind, code: null, headers: NO_HEADERS, bytes: new Uint8Array() },
          ...{ fetchedAt: good.from, freshUntil: good.freshUntil ?? good.from },
        };
  const history: OriginHistory = { answer, outage };
  const phases = weatherOf(GOOGLE).phases.map((phase) => from + phase.from);
  const moments = [...phases, Math.max(from, answer?.freshUntil ?? from)].sort((a, b) => a - b);
  const spells: { at: number; holds: Holds }[] = [];
  for (const at of moments.filter((each) => each < until || each === from)) {
    const holds = holdsAt(history, at);
    if (spells.at(-1)?.holds !== holds) spells.push({ at, holds });
  }
  return spells;
}

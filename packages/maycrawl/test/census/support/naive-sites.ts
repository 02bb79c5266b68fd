import type { TableRow } from './generated-census.ts';

/** A capture, as the table has it. */
interface CaptureRow {
  readonly host: string;
  readonly domain: string | null;
  readonly scheme: string;
  readonly port: number;
  readonly path: string | null;
  readonly time: Date | null;
  readonly status: number | null;
  readonly outcome: string;
  readonly digest: string | null;
  readonly location: string | null;
}

/** An origin or a site. */
export interface NaiveSite {
  readonly site: string;
  readonly first: CaptureRow;
  /** The capture that decides. */
  readonly final: CaptureRow;
  readonly redirects: number;
}

const toUrl = ({ scheme, host, port, path }: CaptureRow): string =>
  new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${path ?? '/robots.txt'}`).href;

const isWithoutBody = ({ outcome }: CaptureRow): boolean => ['not-modified', 'duplicate'].includes(outcome);

/** Finds the origins of a table, one capture after another. */
export function findOrigins(rows: readonly TableRow[]): readonly NaiveSite[] {
  const captures = (rows as unknown as readonly CaptureRow[]).filter(({ host }) => host !== '');
  const firsts = new Map<string, CaptureRow>();
  for (const capture of captures) {
    const known = firsts.get(toUrl(capture));
    if (known === undefined || isBefore(capture, known)) firsts.set(toUrl(capture), capture);
  }
  return [...firsts.values()]
    .filter(({ path }) => path === null)
    .map((first) => {
      let [final, redirects] = [first, 0];
      while (final.outcome === 'redirect' && redirects < 5) {
        const next = firsts.get(getTarget(final) ?? '');
        if (next === undefined) break;
        final = next;
        redirects++;
      }
      return { site: toSite(first), first, final, redirects };
    });
}

function isBefore(one: CaptureRow, other: CaptureRow): boolean {
  if (isWithoutBody(one) !== isWithoutBody(other)) return isWithoutBody(other);
  const [time, otherTime] = [one, other].map((each) => each.time?.getTime() ?? Number.POSITIVE_INFINITY);
  return (time as number) < (otherTime as number);
}

/** The URL to which a redirect leads. */
function getTarget(capture: CaptureRow): string | undefined {
  try {
    const target = new URL(capture.location ?? '', toUrl(capture));
    target.hash = '';
    if (target.pathname === '/robots.txt') target.search = '';
    return /^https?:/.test(target.href) ? target.href : undefined;
  } catch {
    return undefined;
  }
}

const isDefault = ({ scheme, port }: CaptureRow): boolean => port === (scheme === 'http' ? 80 : 443);
const toSite = (capture: CaptureRow): string =>
  isDefault(capture) ? capture.host : new URL(toUrl(capture)).host;
const isKnown = ({ final }: NaiveSite): boolean => /^(?:rules|empty|page|absent)$/.test(final.outcome);

/** Finds the sites: one origin of each host and port. */
export function findSites(rows: readonly TableRow[]): readonly NaiveSite[] {
  const sites = new Map<string, NaiveSite>();
  for (const origin of findOrigins(rows)) {
    const key = isDefault(origin.first) ? origin.first.host : `${origin.first.host} ${origin.first.port}`;
    const known = sites.get(key);
    const isBetter =
      known === undefined ||
      (isKnown(origin) === isKnown(known) ? origin.first.scheme === 'https' : isKnown(origin));
    if (isBetter) sites.set(key, origin);
  }
  return [...sites.values()];
}

/** The access of an agent to a site. */
export function getAccess({ final }: NaiveSite, agent: string, files: ReadonlyMap<string, TableRow>): string {
  if (final.digest !== null) {
    const agents = files.get(final.digest)?.['agents'] as Record<string, { class: string }>;
    return agents[agent]?.class ?? 'missing';
  }
  return { absent: 'no-file', unreachable: 'unreachable' }[final.outcome] ?? 'unknown';
}

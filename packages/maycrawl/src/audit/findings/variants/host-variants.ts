// Findings about hosts that people and links may take for the audited one: with the other scheme, with or without www, without the port.
import { parse, type RobotsPolicy, type RobotsTxt } from '@maycrawl/core';
import { Budget, type CrawlerComparison, compareFiles } from '@maycrawl/core/proofs';
import { getOrigin } from '@maycrawl/core/url';
import { isCertificateFailure } from '../../../text/network-failures.ts';
import type { RunPolicies } from '../../judge/run-policies.ts';
import type { Finding, Found } from '../../run/records/finding.ts';
import { HOST_VARIANTS, type HostVariant } from '../../run/records/site-facts.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';

/** Kinds about variants of hosts. */
export const HOST_VARIANT_KINDS = {
  'host-variant-responds': {
    severity: 'warning',
    rank: 62,
    about: 'indexing',
    concerns: 'site',
    one: '1 site responds at a second address without a redirect',
    many: '# sites respond at a second address without a redirect',
    sentence: 'Its site also responds at another address, without a redirect',
    cost: 'Search engines may crawl every page twice, and choose the address themselves.',
    action: 'Redirect the other address to this one with status 301 or 308.',
    decision:
      'The audit requested the start of the site with http and https, with and without www, and without the port. At least two of these addresses have a status from 200 to 299 themselves. The finding is at the address to which most of them lead. The detail is the other one.',
    example: 'http://example.com → 200, and https://example.com → 200',
    source: 'canonical',
  },
  'host-variant-robots': {
    severity: 'warning',
    rank: 64,
    concerns: 'site',
    one: '1 site has another robots.txt at a second address',
    many: '# sites have another robots.txt at a second address',
    sentence: 'Its site has another robots.txt at a second address',
    cost: 'Crawlers obey the robots.txt of each scheme and host. They fetch at one address what the other disallows, and do not see a redirect of a URL that they may not fetch.',
    action: 'Send the same robots.txt at both addresses, or redirect the other one, with its robots.txt.',
    decision:
      'A proof finds a URL for which the robots.txt of another address (http or https, with or without www, without the port) has another verdict, and that address responds itself, or its robots.txt disallows the request. If the rules are too complex for a proof, different files are a finding. The detail is a shortest path.',
    example: 'http://example.com disallows /, https://example.com allows it',
    source: 'robots',
  },
  'host-variant-fails': {
    severity: 'warning',
    rank: 66,
    concerns: 'site',
    one: '1 site has a second address that leads to an error',
    many: '# sites have a second address that leads to an error',
    sentence: 'Its site has a second address that leads to an error',
    cost: 'People who type that address, and links with it, do not get to the site.',
    action: 'Redirect the other address to this one, with a certificate for it; or remove its DNS record.',
    decision:
      'An address of the site with the other scheme, or with or without www, responds with a status from 400 on, has an invalid certificate, or its redirects do not end. An address that takes no connections, or has no DNS record, is no finding.',
    example: 'https://www.example.com: its certificate is not for this name',
    source: 'errors',
  },
} as const;

type HostCode = keyof typeof HOST_VARIANT_KINDS;

/** States of all proofs together: files of hostile sites must not keep the evaluation. */
const MAX_STATES = 50_000;

/** The address to which most of the others lead, and the others. */
interface Addresses {
  readonly main: HostVariant;
  readonly others: readonly HostVariant[];
}

/** Finds what is wrong with the variants of the hosts of the starts. @param agents - number of crawlers. */
export function* findHostVariants(
  run: RunStore,
  policies: RunPolicies,
  agents: number,
): Generator<Finding<HostCode>> {
  const { starts, profile } = getSettings(run);
  const compare = createComparison(policies, agents, parse('', { profile }));
  const seen = new Set<string>();
  for (const origin of new Set(starts.map(getOrigin))) {
    const addresses = findMain(HOST_VARIANTS.get(run, origin) ?? []);
    // With two starts that are variants of each other both would find the same.
    if (addresses === null || seen.has(addresses.main.url)) continue;
    seen.add(addresses.main.url);
    const key = run.rows.findNearestUrl(getOrigin(addresses.main.url)) ?? run.rows.findNearestUrl(origin);
    if (key === undefined) continue;
    for (const other of addresses.others) {
      const found = describeVariant(other) ?? describeFailure(other, policies);
      const differences = compare(addresses.main, other);
      for (let agent = 0; agent < agents; agent++) {
        const isAllowed = policies.decide(other.url, agent)?.kind === 'allowed';
        if (found !== null && (isAllowed || other.status === null)) yield { ...found, agent, key };
        const difference = differences.get(agent);
        if (difference !== undefined) yield { ...describeRobots(other, difference), agent, key };
      }
    }
  }
}

/** Returns the address to which most addresses lead, of equal ones the first; `null` if none responds. */
function findMain(variants: readonly HostVariant[]): Addresses | null {
  const ends = variants.filter(isSuccess).map(({ end }) => getOrigin(end));
  const count = ({ url }: HostVariant): number => ends.filter((end) => end === getOrigin(url)).length;
  const [main] = [...variants].sort((a, b) => count(b) - count(a));
  if (main === undefined || count(main) === 0) return null;
  return { main, others: variants.filter((each) => each !== main) };
}

function isSuccess({ status }: HostVariant): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether the address responds with a page, without a redirect to another origin. */
function respondsItself(variant: HostVariant): boolean {
  return isSuccess(variant) && getOrigin(variant.end) === getOrigin(variant.url);
}

function describeVariant(other: HostVariant): Found<HostCode> | null {
  if (!respondsItself(other)) return null;
  return { code: 'host-variant-responds', detail: getOrigin(other.url), targets: [other.url] };
}

function describeFailure(other: HostVariant, policies: RunPolicies): Found<HostCode> | null {
  const cause = getFailure(other, policies.getPolicy(other.url));
  if (cause === null) return null;
  return { code: 'host-variant-fails', detail: `${getOrigin(other.url)}: ${cause}`, targets: [other.url] };
}

function getFailure({ status, code, detail }: HostVariant, policy: RobotsPolicy | undefined): string | null {
  if (code === 'robots') return policy?.kind === 'disallow-all' ? detail : null;
  if (status !== null && status >= 400) return `status ${status}`;
  if (code === 'network' && isCertificateFailure(detail ?? '')) return `invalid certificate (${detail})`;
  return code === 'redirect' ? detail : null;
}

function describeRobots(other: HostVariant, difference: string): Found<HostCode> {
  const origin = getOrigin(other.url);
  return {
    code: 'host-variant-robots',
    detail: `${origin} ${difference}`,
    targets: [`${origin}/robots.txt`],
  };
}

/** Returns a function that compares the files of two addresses: how the other one differs, by crawler. */
function createComparison(
  policies: RunPolicies,
  agents: number,
  empty: RobotsTxt,
): (main: HostVariant, other: HostVariant) => ReadonlyMap<number, string> {
  const budget = new Budget(MAX_STATES);
  const crawlers = Array.from({ length: agents }, (_, agent) => ({
    name: String(agent),
    crawler: policies.crawler(agent),
  }));
  return (main, other) => {
    // The robots.txt of an address that redirects decides nothing, unless it disallows the request.
    if (!respondsItself(other) && (other.status !== null || other.code !== 'robots')) return new Map();
    const [before, after] = [main, other].map(({ url }) => toRobots(policies.getPolicy(url), empty));
    if (!before || !after || Buffer.compare(before.bytes, after.bytes) === 0) return new Map();
    const { comparisons } = compareFiles(before, after, { budget, crawlers });
    return new Map(
      comparisons.flatMap((comparison) => {
        const difference = describeDifference(comparison);
        return difference === null ? [] : comparison.crawlers.map(({ name }) => [Number(name), difference]);
      }),
    );
  };
}

/** Returns the file of a site, `empty` if it has none; `undefined` if it cannot be fetched. */
function toRobots(policy: RobotsPolicy | undefined, empty: RobotsTxt): RobotsTxt | undefined {
  if (policy?.kind === 'rules') return policy.robots;
  return policy?.kind === 'allow-all' ? empty : undefined;
}

/** Describes how the other file differs, a lost URL first; `null` if all verdicts are the same. */
function describeDifference({ changes, equivalent }: CrawlerComparison): string | null {
  const change = changes.find(({ direction }) => direction === 'blocked') ?? changes[0];
  if (change === undefined) return equivalent === null ? 'has another file, too complex to compare' : null;
  return change.direction === 'blocked'
    ? `disallows ${change.example}`
    : `allows ${change.example}, which this one disallows`;
}

/**
 * Scripts, stylesheets and images that robots.txt disallows, and the pages that use them. Only references of pages are judged: the
 * resources themselves are not fetched.
 *
 * @module
 */
import { getOrigin } from '@maycrawl/core/url';
import { formatCount } from '../../text/counts.ts';
import { RobotsLines } from '../judge/robots-lines.ts';
import type { RunPolicies } from '../judge/run-policies.ts';
import type { Finding } from '../run/records/finding.ts';
import type { BlockedUse } from '../run/sqlite/blocked-resources.ts';
import { RESOURCE_FINDINGS } from '../run/sqlite/blocked-resources.ts';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';

/** Number of rows of one query, and of one transaction. */
const CHUNK = 1_000;
/** Rules that the detail of a finding quotes. */
const MAX_RULES = 3;

const CODES = Object.keys(RESOURCE_FINDINGS) as (keyof typeof RESOURCE_FINDINGS)[];

/** Decides which resources each crawler may not fetch, and stores them and the findings about the pages that use them. */
export async function findBlockedResources(
  run: SqliteRun,
  policies: RunPolicies,
  agents: number,
): Promise<void> {
  await judgeResources(run, policies, agents);
  if (run.blocked.isEmpty) return;
  const rules = new RuleQuotes(run);
  const findings: Finding[] = [];
  for (const { key } of run.rows.links.resourcesOfPages()) {
    const uses = run.blocked.findOn(key);
    if (uses.length === 0) continue;
    const origin = getOrigin((await run.url(key))?.url ?? '');
    for (let agent = 0; agent < agents; agent++) {
      // A page that is not indexed loses nothing.
      if (run.rows.reasons(key, agent) !== 0) continue;
      for (const code of CODES) {
        const detail = await rules.quote(
          uses.filter(({ kinds }) => (kinds & RESOURCE_FINDINGS[code]) !== 0),
          agent,
          origin,
        );
        // The targets are read from the resources of the page (run/sqlite/finding-table.ts).
        if (detail !== null) findings.push({ code, agent, key, detail, targets: [] });
      }
    }
    if (findings.length >= CHUNK) run.addFindings(findings.splice(0));
  }
  run.addFindings(findings);
}

/** Stores which resources a rule of a robots.txt disallows. It is unknown for those of sites whose file the run does not have. */
async function judgeResources(run: SqliteRun, policies: RunPolicies, agents: number): Promise<void> {
  run.blocked.clear();
  const origins = new Set(run.rows.originsOfRobots());
  for (let after = 0; ; ) {
    const resources = await run.resources(after, CHUNK);
    const blocked: { id: number; agent: number; line: number }[] = [];
    for (const { id, url } of resources) {
      after = id;
      if (!origins.has(getOrigin(url))) continue;
      for (let agent = 0; agent < agents; agent++) {
        const verdict = await policies.decide(url, agent);
        if (verdict?.kind === 'disallowed' && verdict.line > 0)
          blocked.push({ id, agent, line: verdict.line });
      }
    }
    run.addBlockedResources(blocked);
    if (resources.length < CHUNK) return;
  }
}

/** Quotes the rules that block resources. */
class RuleQuotes {
  readonly #lines: RobotsLines;

  constructor(run: SqliteRun) {
    this.#lines = new RobotsLines(run);
  }

  /** Quotes rules in the order of their sites and lines; `null` if the crawler may fetch all. @param origin - of the page. */
  async quote(uses: readonly BlockedUse[], agent: number, origin: string): Promise<string | null> {
    const rules = new Map<string, { readonly url: string; readonly line: number }>();
    for (const { resource } of uses) {
      const line = resource.lines.get(agent);
      if (line !== undefined) rules.set(`${getOrigin(resource.url)} ${line}`, { url: resource.url, line });
    }
    if (rules.size === 0) return null;
    const quotes: string[] = [];
    for (const [, { url, line }] of [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_RULES)) {
      const site = getOrigin(url) === origin ? '' : `${getOrigin(url)} `;
      quotes.push(`${site}line ${line}: ${(await this.#lines.line(url, line)) ?? ''}`);
    }
    const more = rules.size - quotes.length;
    return more === 0 ? quotes.join(', ') : `${quotes.join(', ')} and ${formatCount(more, 'other rule')}`;
  }
}

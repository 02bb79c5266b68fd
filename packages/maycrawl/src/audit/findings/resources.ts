// Scripts, stylesheets and images that robots.txt disallows, and the pages that use them. Only references of pages are judged: the
// resources themselves are not fetched.
import { getOrigin } from '@maycrawl/core/url';
import { RuleQuotes } from '../judge/rule-quotes.ts';
import type { RunPolicies } from '../judge/run-policies.ts';
import type { Finding } from '../run/records/finding.ts';
import type { RunStore } from '../run/run-store.ts';
import { RESOURCE_FINDINGS } from '../run/tables/blocked-resources.ts';

/** Kinds about the resources of pages. */
export const RESOURCE_KINDS = {
  'blocked-resource': {
    severity: 'warning',
    rank: 80,
    about: 'indexing',
    one: '1 page uses scripts or stylesheets that robots.txt disallows',
    many: '# pages use scripts or stylesheets that robots.txt disallows',
    sentence: 'Uses scripts or stylesheets that robots.txt disallows.',
    cost: 'A crawler that renders pages does so without these files, and does not see what they add.',
    action: 'Allow the files, unless the page has the same content without them.',
    decision:
      'The page is indexable, and a rule of a robots.txt disallows a script or stylesheet that it names to the crawler. The detail quotes the rules.',
    example: '/assets/app.js, Disallow: /assets/',
    source: 'script',
  },
  'blocked-image': {
    severity: 'info',
    rank: 30,
    about: 'indexing',
    one: '1 page uses images that robots.txt disallows',
    many: '# pages use images that robots.txt disallows',
    sentence: 'Uses images that robots.txt disallows.',
    cost: 'The crawler does not see these images.',
    action: 'Allow the images if search engines should show them.',
    decision:
      'The page is indexable, and a rule of a robots.txt disallows an image that it names to the crawler. The detail quotes the rules.',
    example: '/media/shoe.jpg, Disallow: /media/',
    source: 'images',
  },
} as const;

/** Number of rows of one query. */
const CHUNK = 1_000;

const CODES = Object.keys(RESOURCE_KINDS) as (keyof typeof RESOURCE_KINDS)[];

/** Decides which resources each crawler may not fetch, stores them, and finds the pages that use them. */
export function* findBlockedResources(
  run: RunStore,
  policies: RunPolicies,
  agents: number,
): Generator<Finding<keyof typeof RESOURCE_KINDS>> {
  judgeResources(run, policies, agents);
  if (run.blocked.isEmpty) return;
  const rules = new RuleQuotes(run);
  for (const { key } of run.rows.links.allLists('resources')) {
    const uses = run.blocked.findOn(key);
    if (uses.length === 0) continue;
    const origin = getOrigin(run.url(key)?.url ?? '');
    for (let agent = 0; agent < agents; agent++) {
      // A page that is not indexed loses nothing.
      if (run.verdicts.get(key, agent)?.reasons !== 0) continue;
      for (const code of CODES) {
        const blocked = uses.flatMap(({ resource: { url, lines }, kinds }) => {
          const line = lines.get(agent);
          return line === undefined || (kinds & RESOURCE_FINDINGS[code]) === 0 ? [] : { url, line };
        });
        const detail = rules.quote(blocked, origin);
        // The targets are read from the resources of the page (run/tables/finding-table.ts).
        if (detail !== null) yield { code, agent, key, detail, targets: [] };
      }
    }
  }
}

/** Stores which resources a rule of a robots.txt disallows. It is unknown for those of sites whose file the run does not have. */
function judgeResources(run: RunStore, policies: RunPolicies, agents: number): void {
  run.blocked.clear();
  const origins = new Set(run.rows.originsOfRobots());
  for (let after = 0; ; ) {
    const resources = run.resources(after, CHUNK);
    const blocked: { id: number; agent: number; line: number }[] = [];
    for (const { id, url } of resources) {
      after = id;
      if (!origins.has(getOrigin(url))) continue;
      for (let agent = 0; agent < agents; agent++) {
        const verdict = policies.decide(url, agent);
        if (verdict?.kind === 'disallowed' && verdict.line > 0)
          blocked.push({ id, agent, line: verdict.line });
      }
    }
    run.blocked.add(blocked);
    if (resources.length < CHUNK) return;
  }
}

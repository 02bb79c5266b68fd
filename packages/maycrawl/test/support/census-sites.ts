// Sites of an invented web over several crawls, for reports of a census. Equal settings give equal sites.
import type { GroupKind } from '../../src/census/judge/judged-agents.ts';
import type { SiteAccess } from '../../src/census/report/site-access.ts';
import type { Witness } from '../../src/census/report/site-count.ts';
import { createRandom } from './random.ts';

/** What an agent may fetch of a site in a crawl. */
export interface SiteState {
  readonly access: SiteAccess;
  readonly group: GroupKind | null;
  readonly witnesses: readonly Witness[];
}

/** A site. */
export interface InventedSite {
  readonly host: string;
  readonly tld: string;
  readonly rank: number | null;
  readonly weight: number | null;
  readonly generator: string | null;
  readonly bytes: number;
  readonly declares: boolean;
  readonly status: number;
  /** By crawl, and then by agent; `null` if it was not captured. */
  readonly crawls: readonly (readonly SiteState[] | null)[];
}

/** The agents, the purpose of each, and how many of the sites that block agents for AI block it. */
export const INVENTED_AGENTS: readonly (readonly [
  name: string,
  operator: string | null,
  purpose: string,
  blocked: number,
])[] = [
  ['GPTBot', 'OpenAI', 'ai-train', 0.95],
  ['CCBot', 'Common Crawl', 'data-sets', 0.82],
  ['ClaudeBot', 'Anthropic', 'ai-train', 0.7],
  ['Google-Extended', 'Google', 'ai-train', 0.62],
  ['Bytespider', 'ByteDance', 'ai-train', 0.66],
  ['meta-externalagent', 'Meta', 'ai-train', 0.35],
  ['Applebot-Extended', 'Apple', 'ai-train', 0.31],
  ['PerplexityBot', 'Perplexity', 'ai-input', 0.28],
  ['OAI-SearchBot', 'OpenAI', 'search', 0.09],
  ['Googlebot', 'Google', 'search', 0.004],
  ['bingbot', 'Microsoft', 'search', 0.008],
  ['example-research-bot', null, '', 0],
];

const TLDS = ['com', 'com', 'com', 'com', 'org', 'de', 'net', 'co.uk', 'jp', 'fr', 'io', 'br', 'ru', 'it'];

const WITHOUT_FILE: readonly (readonly [SiteAccess, number, status: number])[] = [
  ['no-file', 0.19, 404],
  ['unreachable', 0.045, 503],
  ['unknown', 0.03, 301],
];

/** Creates sites. */
export function createSites(count: number, crawls: number): InventedSite[] {
  const random = createRandom(42);
  return Array.from({ length: count }, (_, index) => createSite(index, count, crawls, random));
}

function createSite(index: number, count: number, crawls: number, random: () => number): InventedSite {
  // Most sites have a high rank, or none.
  const rank = random() < 0.12 ? null : Math.ceil((index / count) ** 3 * 2_500_000) + 1;
  const tld = TLDS[Math.floor(random() * TLDS.length)] as string;
  const host = `${random() < 0.4 ? 'www.' : ''}${NAMES[index % NAMES.length]}-${index}.${tld}`;
  const isManaged = random() < 0.11;
  const fame = rank === null ? 0.3 : rank < 10_000 ? 1.6 : rank < 200_000 ? 1 : 0.6;
  const isBlocking = isManaged || random() < 0.13 * fame;
  const start = isManaged ? Math.floor(crawls * 0.75) : Math.floor(random() ** 0.7 * crawls);
  const end = random() < 0.04 ? start + 1 + Math.floor(random() * 3) : crawls;
  const base = random();
  const chance = INVENTED_AGENTS.map(() => random());
  const outcome = random();
  const failure = WITHOUT_FILE.find(([, share], at) => {
    const before = WITHOUT_FILE.slice(0, at).reduce((sum, [, each]) => sum + each, 0);
    return outcome >= before && outcome < before + share;
  });
  const [line, length] = [Math.ceil(random() * 40), Math.ceil(10 ** (1.2 + random() * 2.2))];
  return {
    ...{ host, tld, rank },
    weight: rank === null ? null : Math.round(5e9 / rank ** 0.8),
    generator: isManaged
      ? 'Cloudflare managed robots.txt'
      : base < 0.3
        ? 'WordPress'
        : base < 0.36
          ? 'Shopify'
          : null,
    ...{ bytes: length, declares: isManaged || random() < 0.015, status: failure?.[2] ?? 200 },
    crawls: Array.from({ length: crawls }, (_, crawl) => {
      if (random() < 0.12) return null;
      if (failure !== undefined && random() < 0.93)
        return INVENTED_AGENTS.map(() => ({ access: failure[0], group: null, witnesses: [] }));
      return INVENTED_AGENTS.map(([, , , share], agent): SiteState => {
        const isBlocked = isBlocking && crawl >= start && crawl < end && (chance[agent] as number) < share;
        if (isBlocked && (chance[agent] as number) < 0.03 * share)
          return createState('listed-only', 'own', line);
        if (isBlocked) return createState('none', 'own', line);
        if (base > 0.978) return createState('none', 'global', 2);
        if (base < 0.001) return createState('undecided', 'global', 0);
        return createState(
          base < 0.62 ? 'some' : 'all',
          isBlocking && share === 0.95 ? 'own' : 'global',
          line,
        );
      });
    }),
  };
}

const NAMES = [
  'press',
  'shop',
  'forum',
  'museum',
  'opera',
  'recipes',
  'library',
  'garden',
  'travel',
  'radio',
];

function createState(access: SiteAccess, group: GroupKind, line: number): SiteState {
  const allowed = {
    isAllowed: true,
    path: access === 'listed-only' ? '/ads.txt' : '/',
    line: access === 'all' ? 0 : line + 1,
  };
  const disallowed = { isAllowed: false, path: access === 'some' ? '/wp-admin/' : '/', line };
  const witnesses = {
    none: [disallowed],
    'listed-only': [allowed, disallowed],
    some: [allowed, disallowed],
    all: [allowed],
  };
  return { access, group, witnesses: witnesses[access as 'none'] ?? [] };
}

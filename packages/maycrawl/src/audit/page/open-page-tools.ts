// The tools for checking a page in this process: it fetches robots.txt files and pages itself, and stores nothing.
import type { OriginState } from '@maycrawl/client';
import { type CollectedResponse, createAddressPolicy, Origins } from '@maycrawl/client/internal';
import {
  type Allowed,
  type CrawlerSpec,
  type Disallowed,
  decideByPolicy,
  type Profile,
  type RobotsTxt,
  type Ruleset,
  RulesetCache,
} from '@maycrawl/core';
import { getOrigin } from '@maycrawl/core/url';
import { PAGE_LIMITS } from '../../html/read-page.ts';
import { getVerdictKey, toJsonError, toJsonVerdict } from '../../reports/json-verdict.ts';
import { createPolicyReport } from '../../reports/policy.ts';
import { PageClient } from '../crawl/page-client.ts';
import { judgePage } from './judge-page.ts';
import { type GroupedVerdict, type PageTools, toGroupedVerdict } from './page-tools.ts';

/** How pages are requested. */
export interface PageToolsOptions {
  readonly userAgent: string;
  readonly profile: Profile;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Whether connections to private addresses are allowed. @defaultValue only to the origin of `url` */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The URL that the caller wrote. */
  readonly url: string;
  readonly signal?: AbortSignal | undefined;
}

/** Tools that are closed after use. */
export interface OpenPageTools extends PageTools {
  /** Requests a file, whose body is read whatever its type is. Longer bodies are cut. */
  fetchFile(url: string, maxBytes: number): Promise<CollectedResponse>;
  close(): Promise<void>;
}

/** Opens tools. @throws {RangeError} if `url` is no URL. */
export function openPageTools(options: PageToolsOptions): OpenPageTools {
  const { userAgent, profile, timeout, allowPrivateAddresses, url, signal } = options;
  const addressPolicy = createAddressPolicy({ allowPrivateAddresses, openOrigins: [url] });
  const origins = new Origins({ userAgent, profile, timeout, addressPolicy, loading: 'on-demand' });
  const client = new PageClient({
    ...{ userAgent, timeout, addressPolicy, connections: 1, headers: [], headerOrigins: new Set<string>() },
    maxBytes: PAGE_LIMITS.bytes,
  });
  const rulesets = new Map<RobotsTxt, RulesetCache>();
  const getRuleset = (robots: RobotsTxt, crawler: CrawlerSpec): Ruleset => {
    const known = rulesets.get(robots) ?? new RulesetCache(robots);
    rulesets.set(robots, known);
    return known.get(crawler);
  };
  /** For each state of a site, by the deciding rule: reading a long rule takes a millisecond. */
  const answers = new WeakMap<OriginState, Map<string, GroupedVerdict>>();
  return {
    decide: (urls, crawlers) =>
      Promise.all(
        urls.map(async (each) => {
          const state = await origins.getState(getOrigin(each), signal && { signal });
          return crawlers.map(({ crawler }) => {
            const verdict = decideByPolicy(state.policy, crawler, each, {
              profile,
              getRuleset: (robots) => getRuleset(robots, crawler),
            });
            if (verdict.kind === 'out-of-scope')
              return toGroupedVerdict({ allowed: null, error: toJsonError(verdict) });
            const known = answers.get(state) ?? new Map<string, GroupedVerdict>();
            answers.set(state, known);
            const key = getVerdictKey(verdict);
            const answer = known.get(key) ?? toAnswer(state, verdict);
            known.set(key, answer);
            return answer;
          });
        }),
      ),
    fetch: (each) => client.fetch(each, signal),
    fetchFile: (each, maxBytes) => client.fetchFile(each, maxBytes, { accept: '*/*' }),
    judge: async (task) => judgePage(task),
    now: Date.now,
    close: async () => {
      await origins.idle();
      await client.close();
    },
  };
}

function toAnswer(state: OriginState, verdict: Allowed | Disallowed): GroupedVerdict {
  return toGroupedVerdict({
    ...createPolicyReport(state),
    ...toJsonVerdict(verdict),
    reason: verdict.reason,
  });
}

// The tool `may_fetch`: may this crawler fetch this URL now, and what may it do with the content?
import { isOwnRefusal } from '@maycrawl/client/policy';
import { type Allowed, type Disallowed, decideByPolicy, explainVerdict, type Profile } from '@maycrawl/core';
import { type PreferenceReport, readPreferences } from '@maycrawl/core/preferences';
import { PURPOSES, toJsonPreference } from '../../batch/preference.ts';
import { toJsonVerdict } from '../../reports/json-verdict.ts';
import { type ToolJson, toToolSchema } from '../definitions.ts';
import type { SiteRobots } from '../sites.ts';
import type { NamedAgent, ToolDescription, ToolResult } from '../tool.ts';
import { quoteUntrusted } from '../untrusted.ts';
import { describeSite, describeTemporary, readPolicy } from './read-robots.ts';

const INPUT = {
  type: 'object',
  optional: ['agent', 'purpose'],
  additionalProperties: false,
  properties: {
    url: { $ref: '#/$defs/Url' },
    agent: { $ref: '#/$defs/Agent' },
    purpose: { $ref: '#/$defs/Purpose' },
  },
} as const;

const OUTPUT = {
  type: 'object',
  properties: {
    url: { type: 'string' },
    agent: { type: 'string', description: 'The crawler that the name was resolved to.' },
    allowed: { type: 'boolean' },
    reason: { type: 'string', description: 'The reason for the decision, such as "rule" or "unreachable".' },
    line: { type: 'integer', description: 'Line of the deciding rule, from 1; 0 if none matched.' },
    rule: {
      type: ['object', 'null'],
      description: 'The deciding rule; null if none matched.',
      properties: {
        kind: { type: 'string', enum: ['allow', 'disallow'] },
        untrusted: { $ref: '#/$defs/Untrusted' },
      },
    },
    group: { $ref: '#/$defs/Group' },
    crawlDelay: {
      type: ['number', 'null'],
      description: 'The Crawl-delay of the site for this crawler, in seconds.',
    },
    temporary: {
      type: 'boolean',
      description: 'Whether the refusal is temporary: try again at retryAt, and fetch nothing until then.',
    },
    retryAt: { $ref: '#/$defs/RetryAt' },
    code: {
      type: ['string', 'null'],
      description: 'The code of a refusal: disallowed, robots-unreachable, private-address and others.',
    },
    preferences: {
      type: 'array',
      description:
        'What the robots.txt declares about the use of the content. A refused use does not change "allowed".',
      items: {
        type: 'object',
        properties: {
          purpose: { type: 'string' },
          value: { type: 'string', enum: ['allowed', 'disallowed', 'unknown', 'not-applicable'] },
          format: { type: ['string', 'null'] },
          line: { type: ['integer', 'null'] },
          readings: {
            type: 'object',
            description: 'The values by group, for the whole site, and by other readings that differ.',
            additionalProperties: { type: 'string' },
          },
        },
      },
    },
    licenses: {
      type: 'array',
      description: 'URLs of RSL licences.',
      items: {
        type: 'object',
        properties: { line: { type: ['integer', 'null'] }, untrusted: { $ref: '#/$defs/Untrusted' } },
      },
    },
    site: { $ref: '#/$defs/Site' },
  },
} as const;

/** The arguments of the tool. */
export type MayFetchInput = ToolJson<typeof INPUT>;
type Output = ToolJson<typeof OUTPUT>;

export const MAY_FETCH: ToolDescription = {
  name: 'may_fetch',
  title: 'May this URL be fetched?',
  description:
    'Decides by the robots.txt of the site whether a crawler may fetch a URL now, and what the site declares about the use of the content. Call it before you fetch a page, and for each target of a redirect. It requests robots.txt only, never the page.',
  input: toToolSchema(INPUT, {
    Purpose: {
      type: 'string',
      enum: PURPOSES,
      description: 'What the content is for. The result then has only the preference about it.',
    },
  }),
  output: toToolSchema(OUTPUT),
  isOpenWorld: true,
};

/** Decides about a URL of the site of a robots.txt. */
export function mayFetch(
  { url, agent, purpose, robots }: MayFetchTask,
  profile: Profile,
): ToolResult<Output> {
  const policy = readPolicy(robots, profile);
  const verdict = decideByPolicy(policy, agent.crawler, url, { profile });
  if (verdict.kind === 'out-of-scope') throw new Error('the URL and the robots.txt have different origins');
  const report = readPreferences({ policy }, agent.crawler, url);
  const { allowed, line, kind, rule, group } = toJsonVerdict(verdict);
  const refusal = allowed || verdict.reason === 'rule' ? null : robots.refusal;
  const preferences = listPreferences(report, purpose);
  const content: Output = {
    ...{ url, agent: agent.name, allowed, reason: verdict.reason, line },
    rule: rule === null || kind === null ? null : { kind, untrusted: quoteUntrusted(rule) },
    group,
    crawlDelay: policy.kind === 'rules' ? policy.robots.ruleset(agent.crawler).crawlDelay : null,
    temporary: refusal?.isTemporary ?? false,
    retryAt: refusal?.retryAt ?? null,
    code: allowed ? null : (refusal?.code ?? 'disallowed'),
    preferences,
    licenses: report.licenses.map((each) => ({ line: each.line, untrusted: quoteUntrusted(each.url) })),
    site: describeSite(robots),
  };
  return { summary: summarize(verdict, robots, content, purpose), content };
}

/** A call of the tool. */
export interface MayFetchTask {
  readonly url: string;
  readonly agent: NamedAgent;
  readonly purpose?: string | undefined;
  /** That of the site of the URL. */
  readonly robots: SiteRobots;
}

function listPreferences(
  { purposes, crawl }: PreferenceReport,
  purpose: string | undefined,
): Output['preferences'] {
  const value = crawl === 'disallowed' ? ('not-applicable' as const) : ('unknown' as const);
  const names = purpose === undefined ? Object.keys(purposes) : [purpose];
  return names.map((name) => {
    const found = purposes[name];
    if (found === undefined) return { purpose: name, value, format: null, line: null, readings: {} };
    return { purpose: name, ...toJsonPreference(found), readings: found.readings };
  });
}

function summarize(
  verdict: Allowed | Disallowed,
  robots: SiteRobots,
  { temporary, code, preferences: [preference] }: Output,
  purpose: string | undefined,
): string {
  if (temporary) return describeTemporary(robots);
  const word = verdict.allowed ? 'Allowed' : 'Disallowed';
  const decision =
    verdict.reason === 'rule'
      ? `${word} by line ${verdict.line} of the robots.txt.`
      : isOwnRefusal(code)
        ? `Disallowed: the client connects to no ${code === 'private-address' ? 'private address' : 'blocked port'}.`
        : explainVerdict(verdict);
  if (purpose === undefined || preference === undefined || !verdict.allowed) return decision;
  const { value, line } = preference;
  const where = line === null ? '' : ` in line ${line}`;
  const words = { allowed: 'allows', disallowed: 'refuses' } as const;
  return value === 'allowed' || value === 'disallowed'
    ? `${decision} The site ${words[value]} the use for ${purpose}${where}.`
    : `${decision} The robots.txt declares nothing about ${purpose}.`;
}

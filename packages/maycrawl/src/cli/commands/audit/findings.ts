// `maycrawl audit findings`: what is wrong with the URLs of a run, the most urgent first.
import {
  describeDetail,
  FINDING_CODES,
  FINDING_KINDS,
  type FindingCode,
  getAdvice,
} from '../../../audit/findings/finding-kinds.ts';
import { describeSource, LinkSources } from '../../../audit/findings/link-sources.ts';
import {
  type AgentSummary,
  describeVerdicts,
  type FindingSummary,
  summarizeRun,
} from '../../../audit/report/summary.ts';
import { isIndexingCrawler } from '../../../audit/run/indexing-crawlers.ts';
import type { FindingLinks } from '../../../audit/run/records/finding.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import { getSettings } from '../../../audit/run/settings.ts';
import type { DetailCount, UrlFinding } from '../../../audit/run/tables/finding-table.ts';
import { formatCount } from '../../../text/counts.ts';
import { groupEqual } from '../../../text/group-equal.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { getColors } from '../../output/terminal.ts';
import { withRun } from './open-run.ts';
import type { AuditFindingsOptions } from './options.ts';

/** Groups of a kind, and URLs of a group, that are listed unless codes are given. */
const [MAX_GROUPS, MAX_LISTED] = [5, 5];
/** Other URLs of a finding, such as blocked resources, that are listed unless codes are given. */
const MAX_TARGETS = 3;

/**
 * Prints the findings of a run by crawler and kind: all of them if kinds are given, otherwise some URLs of each; in JSON all, one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or a code is unknown.
 */
export async function auditFindings(path: string, options: AuditFindingsOptions): Promise<number> {
  const codes = options.code?.map(requireCode);
  return withRun(path, async (run) => {
    if (options.json) await writeJson(run, codes);
    else await writeText(run, codes);
    return 0;
  });
}

function requireCode(code: string): FindingCode {
  const known = FINDING_CODES.find((each) => each === code);
  if (known === undefined)
    throw new CommandError(`unknown finding "${visible(code)}"; findings: ${FINDING_CODES.join(', ')}`);
  return known;
}

async function writeJson(run: RunStore, codes: readonly FindingCode[] | undefined): Promise<void> {
  const sources = new LinkSources(run);
  for (const [place, { agent, findings }] of summarizeRun(run).agents.entries())
    for (const { code, severity } of findings.filter((each) => codes?.includes(each.code) ?? true))
      for (const { key, url, detail, targets } of run.findings.list(code, place, { severity })) {
        const links = sources.find(code, key);
        await writeOut(`${toJson({ code, severity, agent, url, detail, targets, links })}\n`);
      }
}

async function writeText(run: RunStore, codes: readonly FindingCode[] | undefined): Promise<void> {
  const { bold } = getColors(process.stdout);
  const { agents } = summarizeRun(run);
  const sources = new LinkSources(run);
  const isEqual = (place: number, other: number): boolean => run.findings.areEqual(place, other);
  for (const places of groupEqual([...agents.keys()], isEqual)) {
    const [place] = places as [number];
    const names = places.map((each) => visible(agents[each]?.agent ?? '')).join(', ');
    const summary = agents[place] as AgentSummary;
    const shown = summary.findings.filter(({ code }) => codes === undefined || codes.includes(code));
    const none = shown.length === 0 ? '; no findings' : '';
    await writeOut(bold(`${names}: ${describeVerdicts(summary)}${none}\n`));
    const listing: Listing = { run, place, sources, isWhole: codes !== undefined };
    for (const finding of shown) await writeKind(listing, finding);
  }
}

/** What is listed. */
interface Listing {
  readonly run: RunStore;
  /** The index of the crawler. */
  readonly place: number;
  readonly sources: LinkSources;
  /** Whether all URLs are listed. */
  readonly isWhole: boolean;
}

/** Writes what a kind of findings means, and its URLs. */
async function writeKind(listing: Listing, { code, severity, title }: FindingSummary): Promise<void> {
  const { run, place, isWhole } = listing;
  const { red, yellow } = getColors(process.stdout);
  const colour = severity === 'error' ? red : severity === 'warning' ? yellow : (text: string) => text;
  const { decision, source } = FINDING_KINDS[code];
  const { cost, action } = getAdvice(code, isIndexingCrawler(getSettings(run).agents[place] ?? ''));
  await writeOut(`${colour(`${severity}: ${title}`)} (${code})\n  ${cost}\n  ${action}\n`);
  if (isWhole) {
    await writeOut(`  When: ${decision}\n  ${source.title}: ${source.url}\n`);
  }
  const groups = run.findings.countDetails(code, place, severity);
  const listed = isWhole ? groups : groups.slice(0, MAX_GROUPS);
  for (const group of listed) await writeGroup(listing, { code, severity }, group);
  const rest = groups.slice(listed.length).reduce((sum, { count }) => sum + count, 0);
  if (rest > 0) await writeOut(`    and ${formatCount(rest, 'other')}\n`);
}

/** Writes the URLs of a kind that have the same detail. */
async function writeGroup(
  listing: Listing,
  { code, severity }: Pick<FindingSummary, 'code' | 'severity'>,
  { detail, count }: DetailCount,
): Promise<void> {
  const { run, place, sources, isWhole } = listing;
  const about = detail === null ? null : visible(describeDetail(code, detail));
  const isTitled = about !== null && count > 1;
  const indent = isTitled ? '      ' : '    ';
  const size = FINDING_KINDS[code].countsUrls ? '' : `: ${formatCount(count, 'URL')}`;
  if (isTitled) await writeOut(`    ${about}${size}\n`);
  let listed = 0;
  for (const finding of run.findings.list(code, place, { severity, detail })) {
    if (!isWhole && listed === MAX_LISTED) break;
    const path = formatTargets(code, finding, isWhole);
    await writeOut(`${indent}${path}${about === null || isTitled ? '' : ` (${about})`}\n`);
    const links = sources.find(code, finding.key);
    if (links !== null) await writeOut(formatLinks(links, `${indent}  `));
    listed++;
  }
  if (listed < count) await writeOut(`${indent}and ${formatCount(count - listed, 'other')}\n`);
}

/** Formats the pages that link to a URL, one a line. */
function formatLinks({ count, pages }: FindingLinks, indent: string): string {
  const lines = pages.map((page) => `linked from ${visible(describeSource(page))}`);
  if (count > pages.length) lines.push(`and from ${formatCount(count - pages.length, 'other page')}`);
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** "/a → /b → /c" for steps, "/a: /b, /c" for URLs without an order. */
function formatTargets(code: FindingCode, { url, targets }: UrlFinding, isWhole: boolean): string {
  const steps =
    code.startsWith('redirect-') || code === 'canonical-to-redirect' || code === 'canonical-chain';
  const shown = steps || isWhole ? targets : targets.slice(0, MAX_TARGETS);
  const rest = targets.length - shown.length;
  const names = shown.map((target) => visible(target));
  if (steps || targets.length < 2) return [visible(url), ...names].join(' → ');
  return `${visible(url)}: ${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest, 'other')}` : ''}`;
}

// The impact of a changed response: its cause, its effect on crawlers and URLs, and whether it is a return to an earlier version.
import type { CachedResponse } from '@maycrawl/client';
import { describePolicy, parse } from '@maycrawl/core';
import { ASPECTS, type Aspect } from '../../../api/watch/aspects.ts';
import { getWorstSeverity } from '../../../reports/severities.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatDay } from '../../../text/days.ts';
import { formatSpan } from '../../../text/durations.ts';
import { type Cause, findCauses, findTextFixes } from '../causes.ts';
import {
  type EarlierVersion,
  type EarlierVersions,
  findProvedReturn,
  getInterrupted,
} from '../earlier-versions.ts';
import { getResponseCondition } from '../file-condition.ts';
import type { SiteState } from '../site-state.ts';
import { getFileImpact } from './file-impact.ts';
import type { FileImpact, Impact, ImpactOptions } from './impact-types.ts';
import { describeOtherOperators } from './other-operators.ts';

export interface ResponseChange {
  readonly before: SiteState;
  readonly after: SiteState;
  /** The new response. */
  readonly response: CachedResponse;
  readonly earlier: EarlierVersions;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the impact of a changed response, which ends an outage if there was one. */
export function getResponseImpact(change: ResponseChange, options: ImpactOptions): Impact {
  const { before, response: next, earlier, now } = change;
  const last = before.history.response;
  if (last === null) return describeFirst(change, options);
  const isText = getResponseCondition(next) === 'text';
  const interrupted = isText ? getInterrupted(earlier, now) : null;
  const base = interrupted?.bytes ?? last.bytes;
  const causes = findCauses(options.origin, last, base, next);
  const effect = getFileImpact(base, next.bytes, options);
  const same = isText ? findSameVersion(earlier, next, effect, causes) : null;
  const beginning = [
    ...describeBeginning(change, last, next),
    ...(same === null ? [] : [describeSameVersion(same, now)]),
    ...(isText ? findTextFixes(base, next.bytes) : []),
  ];
  const isSame = before.history.outage !== null && Buffer.from(last.bytes).equals(next.bytes);
  if (same !== null && isReturn(same, earlier.failingSince, interrupted, isSame, effect))
    return describeReturn(change, options, same, beginning, effect);
  const isEnd = beginning.some(({ aspect }) => aspect === 'recovered' || aspect === 'appeared');
  const compared = interrupted !== null && isEnd ? `compared with version ${interrupted.number}, ` : '';
  const clauses = [...beginning, ...causes].map(({ clause }) => clause);
  const isWithoutEffect = causes.length > 0 && isUnchanged(effect);
  const [first = '', ...lines] = isWithoutEffect
    ? getUnchangedLines(effect, 'verdicts are the same')
    : effect.lines;
  const effects = isWithoutEffect
    ? effect.aspects.filter((aspect) => aspect !== 'formatting')
    : effect.aspects;
  const own = [...beginning, ...causes].filter(({ aspect }) => aspect !== 'restored');
  return describe(
    options,
    [...own.map(({ aspect }) => aspect), ...effects],
    [
      clauses.length === 0 ? first : `${clauses.join(', ')}: ${compared}${first}`,
      ...lines,
      ...(getResponseCondition(next) === 'absent'
        ? describeOtherOperators('whenUnavailable', options.settings.agents)
        : []),
      ...causes.map(({ advice }) => `To do: ${advice}`),
      ...getAdvice(effect),
    ],
    { ...effect.details, ...(same !== null && { sameAs: same.number, sameBy: same.by }) },
  );
}

/** A clause that begins a title and needs no advice: the end of a failure, a return, corrected lines. */
type Beginning = Pick<Cause, 'aspect' | 'clause'>;

/** An earlier version with the same effect as the new file, and how that is known. */
interface SameVersion extends EarlierVersion {
  readonly by: 'bytes' | 'proof';
}

/**
 * Finds the earlier version to which a site is back: by its bytes, or if verdicts have changed, by a proof. A file with a cause of its own,
 * such as lines that are not understood, is no return.
 */
function findSameVersion(
  earlier: EarlierVersions,
  { bytes }: CachedResponse,
  effect: FileImpact,
  causes: readonly Cause[],
): SameVersion | null {
  if (earlier.same !== null) return { ...earlier.same, by: 'bytes' };
  if (isUnchanged(effect) || causes.length > 0) return null;
  const proved = findProvedReturn(earlier, bytes);
  return proved && { ...proved, by: 'proof' };
}

function describeSameVersion({ number, until, by }: SameVersion, now: number): Beginning {
  const how = by === 'bytes' ? '' : ' (same verdicts, other text)';
  return {
    aspect: 'restored',
    clause: `back to version ${number}${how}, as before ${formatDay(until, now)}`,
  };
}

/** Describes the end of a failure. */
function describeBeginning(
  { before, now }: ResponseChange,
  last: CachedResponse,
  next: CachedResponse,
): Beginning[] {
  const { outage } = before.history;
  if (outage !== null)
    return [
      {
        aspect: 'recovered',
        clause: `robots.txt is reachable again after ${formatSpan(now - outage.since)}`,
      },
    ];
  if (getResponseCondition(last) === 'text' || getResponseCondition(next) !== 'text') return [];
  const file = last.kind === 'unavailable' ? 'a robots.txt' : 'a readable robots.txt';
  return [{ aspect: 'appeared', clause: `there is ${file} again` }];
}

/** Whether an effect changes no verdict. */
function isUnchanged({ aspects }: FileImpact): boolean {
  return aspects.every((aspect) => aspect === 'formatting' || aspect === 'records');
}

/** Returns the lines of an effect that changes no verdict: changed sitemaps stay in the title. */
function getUnchangedLines({ aspects, lines }: FileImpact, unchanged: string): readonly string[] {
  return aspects.includes('records') ? lines : [unchanged, ...lines.slice(1)];
}

/**
 * Whether a change is a return to an earlier version that is no alarm: to the version that was in force before a failure, or to any
 * other one, unless it does damage now as it did when it was new.
 */
function isReturn(
  same: SameVersion,
  failingSince: number | null,
  interrupted: EarlierVersions['regular'],
  isSame: boolean,
  effect: FileImpact,
): boolean {
  // Compared with the version before the failure, nothing has changed.
  if (interrupted !== null || isSame) return isUnchanged(effect);
  if (failingSince !== null) return false;
  const isDamage = effect.aspects.some((aspect) => ASPECTS[aspect].severity === 'error');
  return !isDamage || (same.severity !== 'error' && !effect.aspects.includes('root-blocked'));
}

function describeReturn(
  { earlier }: ResponseChange,
  options: ImpactOptions,
  same: SameVersion,
  beginning: readonly Beginning[],
  effect: FileImpact,
): Impact {
  const unchanged = earlier.failingSince === null ? 'verdicts are the same' : 'its rules apply again';
  const isSameEffect = isUnchanged(effect);
  const [first = '', ...lines] = isSameEffect ? getUnchangedLines(effect, unchanged) : effect.lines;
  // A site whose comment changes back and forth has no other change.
  const isFormatting = beginning.length === 1 && effect.aspects.every((aspect) => aspect === 'formatting');
  return describe(
    options,
    isFormatting
      ? ['formatting']
      : [
          ...beginning.map(({ aspect }) => aspect),
          // An effect counts only if the owner has set its severity.
          ...effect.aspects.filter((aspect) => options.settings.severity?.[aspect] !== undefined),
        ],
    [`${beginning.map(({ clause }) => clause).join(', ')}: ${first}`, ...lines, RETURNS[same.by]],
    { ...effect.details, sameAs: same.number, sameBy: same.by },
  );
}

const RETURNS: Readonly<Record<SameVersion['by'], string>> = {
  bytes: 'The file is the same as that of the earlier version, byte for byte.',
  proof:
    'The file differs from that of the earlier version, and it is proved that every URL has the same verdict and the same declarations for every crawler.',
};

/** Describes the first response of a site. There is nothing to compare it with. */
function describeFirst({ before, after, response }: ResponseChange, options: ImpactOptions): Impact {
  const isBack = before.history.outage !== null;
  const since = isBack ? 'reachable now' : 'watched from now on';
  const causes = findCauses(options.origin, null, new Uint8Array(), response);
  const { policy } = after;
  const file =
    policy.kind === 'rules'
      ? `the file has ${formatCount(response.bytes.length, 'byte')}`
      : describePolicy(policy);
  return describe(
    options,
    [
      isBack ? 'recovered' : 'first',
      // A site without a file is as its owner added it.
      ...causes.map(({ aspect }) => aspect).filter((aspect) => aspect !== 'disappeared'),
    ],
    [
      `${since}${causes.length === 0 ? '; ' : `: ${causes.map(({ clause }) => clause).join(', and ')}. `}${causes.length === 0 || policy.kind !== 'rules' ? file : `T${file.slice(1)}`}`,
      ...describeContents(response),
      ...causes.map(({ advice }) => `To do: ${advice}`),
    ],
    { policy },
  );
}

/** Describes what a file has, as the basis of later changes. */
function describeContents(response: CachedResponse): string[] {
  if (getResponseCondition(response) !== 'text') return ['The next events are about changes of this state.'];
  const robots = parse(response.bytes);
  const groups = robots.groups();
  const rules = groups.reduce((sum, group) => sum + group.rules.length, 0);
  const counts = [
    formatCount(groups.length, 'group'),
    formatCount(rules, 'rule'),
    formatCount(robots.sitemaps().length, 'sitemap'),
  ];
  return [`It has ${counts.join(', ')}. The next events are about changes of this file.`];
}

/** Describes a change by its aspects and lines, of which the first is the title. */
function describe(
  { settings: { severity = {} } }: ImpactOptions,
  aspects: readonly Aspect[],
  lines: readonly string[],
  details: object,
): Impact {
  const [kind = 'formatting'] = aspects;
  return {
    kind,
    aspects,
    severity: getWorstSeverity(aspects.map((each) => severity[each] ?? ASPECTS[each].severity)),
    title: lines[0] ?? '',
    text: lines.slice(1).join('\n'),
    details: { aspects, ...details },
  };
}

/** Returns what the owner can do about an effect. */
function getAdvice({ aspects }: FileImpact): string[] {
  if (aspects.includes('root-blocked'))
    return [
      'To do: if the site should be crawled, remove the rule that disallows / now: crawlers stop when they fetch the file again.',
    ];
  if (aspects.includes('urls-blocked'))
    return [
      'To do: check whether these URLs should be blocked; maycrawl watch diff shows the deciding rules.',
    ];
  return [];
}

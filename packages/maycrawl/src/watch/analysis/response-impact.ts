// The impact of a changed response: its cause, its effect on crawlers and URLs, and whether it is a return to an earlier version.
import type { CachedResponse } from '@maycrawl/client';
import { describePolicy } from '@maycrawl/core';
import { formatCount } from '../../text/counts.ts';
import { formatDay } from '../../text/days.ts';
import { formatSpan } from '../../text/durations.ts';
import { getWorstSeverity } from '../site.ts';
import type { Impact } from './aspects.ts';
import { type Aspect, DEFAULT_SEVERITIES, type FileImpact, type ImpactOptions } from './aspects.ts';
import { type Cause, findCauses } from './causes.ts';
import { type EarlierVersions, getInterrupted } from './earlier-versions.ts';
import { getResponseCondition } from './file-condition.ts';
import { getFileImpact } from './file-impact.ts';
import type { SiteState } from './site-state.ts';

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
  const interrupted = getResponseCondition(next) === 'text' ? getInterrupted(earlier, now) : null;
  const base = interrupted?.bytes ?? last.bytes;
  const causes = findCauses(options.origin, last, base, next);
  const effect = getFileImpact(base, next.bytes, options);
  const beginning = describeBeginning(change, last, next);
  const same = getResponseCondition(next) === 'text' ? earlier.same : null;
  const back: Beginning[] =
    same === null
      ? []
      : [
          {
            aspect: 'restored',
            clause: `back to version ${same.number}, as before ${formatDay(same.until, now)}`,
          },
        ];
  const isSame = before.history.outage !== null && Buffer.from(last.bytes).equals(next.bytes);
  if (same !== null && isReturn(same, earlier.failingSince, interrupted, isSame, effect))
    return describeReturn(change, options, [...beginning, ...back], effect);
  const compared =
    interrupted !== null && beginning.length > 0 ? `compared with version ${interrupted.number}, ` : '';
  const clauses = [...beginning, ...back, ...causes].map(({ clause }) => clause);
  const isWithoutEffect = causes.length > 0 && isUnchanged(effect);
  const [first = '', ...lines] = isWithoutEffect ? ['verdicts are the same'] : effect.lines;
  const effects = isWithoutEffect ? [] : effect.aspects;
  return describe(
    options,
    [...[...beginning, ...causes].map(({ aspect }) => aspect), ...effects],
    [
      clauses.length === 0 ? first : `${clauses.join(', ')}: ${compared}${first}`,
      ...lines,
      ...causes.map(({ advice }) => `To do: ${advice}`),
      ...getAdvice(effect),
    ],
    { ...effect.details, ...(same !== null && { sameAs: same.number }) },
  );
}

/** The clause of a file that is there again. Its cause is the end of a failure, and needs no advice. */
type Beginning = Pick<Cause, 'aspect' | 'clause'>;

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

/**
 * Whether a change is a return to an earlier version that is no alarm: to the version that was in force before a failure, or to any
 * other one, unless it does damage now as it did when it was new.
 */
function isReturn(
  same: NonNullable<EarlierVersions['same']>,
  failingSince: number | null,
  interrupted: EarlierVersions['regular'],
  isSame: boolean,
  effect: FileImpact,
): boolean {
  // Compared with the version before the failure, nothing has changed.
  if (interrupted !== null || isSame) return isUnchanged(effect);
  if (failingSince !== null) return false;
  const isDamage = effect.aspects.some((aspect) => DEFAULT_SEVERITIES[aspect] === 'error');
  return !isDamage || (same.severity !== 'error' && !effect.aspects.includes('root-blocked'));
}

function describeReturn(
  { earlier }: ResponseChange,
  options: ImpactOptions,
  beginning: readonly Beginning[],
  effect: FileImpact,
): Impact {
  const unchanged = earlier.failingSince === null ? 'verdicts are the same' : 'its rules apply again';
  const [first = '', ...lines] = isUnchanged(effect) ? [unchanged] : effect.lines;
  return describe(
    options,
    [
      ...beginning.map(({ aspect }) => aspect),
      // An effect counts only if the owner has set its severity.
      ...effect.aspects.filter((aspect) => options.settings.severity?.[aspect] !== undefined),
    ],
    [`${beginning.map(({ clause }) => clause).join(', ')}: ${first}`, ...lines],
    { ...effect.details, sameAs: earlier.same?.number },
  );
}

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
      ...causes.map(({ advice }) => `To do: ${advice}`),
    ],
    { policy },
  );
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
    severity: getWorstSeverity(aspects.map((each) => severity[each] ?? DEFAULT_SEVERITIES[each])),
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

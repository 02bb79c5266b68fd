// Judges the requests of a log: identity, class, and the counts of each crawler.
import { timeSlices } from '@maycrawl/client/internal';
import { checkOptions } from '@maycrawl/core/internal';
import { type CrawlerState, type JudgeOptions, LogJudge, type LogSite } from './log-judge.ts';
import type { LogReading } from './request.ts';
import type { LogSummary } from './summary/log-summary.ts';

/** Judges all requests of a log. @throws what the log throws. */
export async function judgeLog(log: LogReading, options: JudgeOptions): Promise<LogSummary> {
  checkOptions<JudgeOptions>(
    'judgeLog',
    options,
    {
      ...{ sites: 'array', profile: 'object', crawlers: 'object', identify: 'function', only: 'object' },
      ...{ since: 'number', until: 'number', whatIf: 'object', audit: 'object', showsAddresses: 'boolean' },
    },
    ['sites', 'profile', 'crawlers', 'identify'],
  );
  if (options.sites.length === 0) throw new RangeError('judgeLog: there is no site');
  const judge = new LogJudge(options, () => log.from ?? Number.POSITIVE_INFINITY);
  await addRequests(judge, log, options);
  return judge.toSummary(log);
}

/** What a later part of a log needs of the parts before: plain data. */
export interface LogState {
  /** The time from which the log is complete, in milliseconds since 1970; `null` before its first line. */
  readonly from: number | null;
  /** The crawlers by name. */
  readonly crawlers: readonly (readonly [name: string, state: CrawlerState])[];
}

/** A part of a log. */
export interface JudgedPart {
  readonly summary: LogSummary;
  /** That of the crawlers with a request in this part. */
  readonly state: LogState;
  /** The violations of verified crawlers by name. */
  readonly verifiedViolations: ReadonlyMap<string, number>;
}

/** Judges a part of a log of one site, which follows earlier parts. @throws what the log throws. */
export async function judgePart(
  log: LogReading,
  { site, ...options }: Omit<JudgeOptions, 'sites'> & { readonly site: LogSite },
  earlier: LogState,
): Promise<JudgedPart> {
  const getStart = (): number => earlier.from ?? log.from ?? Number.POSITIVE_INFINITY;
  const judge = new LogJudge({ ...options, sites: [site] }, getStart, new Map(earlier.crawlers));
  await addRequests(judge, log, options);
  return {
    summary: judge.toSummary(log),
    state: { from: earlier.from ?? log.from, crawlers: judge.listStates() },
    verifiedViolations: judge.getVerifiedViolations(),
  };
}

async function addRequests(
  judge: LogJudge,
  log: LogReading,
  { identify }: Pick<JudgeOptions, 'identify'>,
): Promise<void> {
  for await (const batch of log.batches())
    for (const request of batch) {
      const identity = identify(request);
      judge.add(request, typeof identity === 'string' ? identity : await identity);
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    }
}

// A reading of an access log: its new lines, judged by the versions of the robots.txt that the monitor has stored, and compared with the
// readings before.
import { createAgentResolver, GOOGLE } from '@maycrawl/core';
import { LogCrawlers } from '../../logs/crawlers.ts';
import { createIdentifier } from '../../logs/identity/identity.ts';
import { RangeFileError } from '../../logs/identity/range-file.ts';
import { readRangeStore } from '../../logs/identity/range-store.ts';
import { LogError } from '../../logs/input/log-error.ts';
import { type JudgedPart, judgePart } from '../../logs/judge-log.ts';
import { readLogs } from '../../logs/read-log.ts';
import type { Timeline } from '../../logs/rules/timeline.ts';
import { formatCount } from '../../text/counts.ts';
import { findChanges } from './find-changes.ts';
import { getChangeImpacts, getFailureImpact, getRecoveryImpact } from './log-impacts.ts';
import type { ClaimedLog, LogResult } from './log-repository.ts';
import { addPeriod, forgetFetches, type Period } from './log-state.ts';
import { openNewLines } from './new-lines.ts';
import { TimelineError } from './site-timeline.ts';

export interface ReadOptions {
  readonly readTimeline: (origin: string) => Promise<Timeline>;
  readonly now: () => number;
  /** Waits for a number of milliseconds, or until the signal is aborted. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** A file that is being rotated is missing, or is shortened, for a moment: attempts, and milliseconds between two of them. */
const [MAX_ATTEMPTS, PAUSE] = [3, 1_000] as const;
/** The share of lines that may be unreadable, and a number that is no failure, because a client can cause such lines. */
const [MAX_UNPARSED_SHARE, MAX_UNPARSED] = [0.01, 10] as const;

/** Reads a log. @throws the reason of the signal if it is aborted, and errors of the database. */
export async function readWatchedLog(
  log: ClaimedLog,
  options: ReadOptions,
): Promise<Omit<LogResult, 'dueAt'>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readOnce(log, options);
    } catch (error) {
      options.signal.throwIfAborted();
      const isReadError = error instanceof LogError;
      if (isReadError && error.code === 'unreadable' && attempt < MAX_ATTEMPTS) {
        await options.sleep(PAUSE);
        continue;
      }
      // A format or a network that is invalid.
      const isSetting = error instanceof RangeError || error instanceof RangeFileError;
      if (!isReadError && !isSetting && !(error instanceof TimelineError)) throw error;
      const failure = error.message;
      const impacts = log.failure === null ? [getFailureImpact(failure, log)] : [];
      return { at: options.now(), log: null, failure, impacts };
    }
  }
}

async function readOnce(log: ClaimedLog, options: ReadOptions): Promise<Omit<LogResult, 'dueAt'>> {
  const { origin, path, settings, site, before, lastAt, failure: lastFailure } = log;
  const { format, ranges, clientIp, trustedProxies = [], every } = settings;
  const { readTimeline, now, signal } = options;
  const identify = createIdentifier({
    ...(ranges !== undefined && { ranges: await readRangeStore(ranges) }),
  });
  const crawlers = new LogCrawlers(createAgentResolver([]));
  const timeline = await readTimeline(origin);
  const lines = await openNewLines(path, before?.tracked ?? null, signal);
  try {
    const at = now();
    const fallbackFormat = before?.tracked.files.findLast(({ start }) => start !== null)?.start?.format;
    const reading = readLogs(lines.sources, {
      ...(format !== undefined && { format }),
      ...(fallbackFormat !== undefined && { fallbackFormat }),
      ...(clientIp !== undefined && { clientIp, trustedProxies }),
      // The monitor has other work.
      threads: 1,
    });
    const known = before !== null && lines.hasGap ? forgetFetches(before) : before;
    const part = await judgePart(
      reading,
      { site: { origin, timeline }, profile: GOOGLE, crawlers, identify },
      known ?? { from: null, crawlers: [] },
    );
    const period: Period = { from: Math.min(at, before?.periods.at(-1)?.to ?? reading.from ?? at), to: at };
    const changes = findChanges(known, part, {
      ...{ period, every },
      getCachePeriod: (name) => crawlers.describe(name).cachePeriod,
    });
    const gap = lines.hasGap ? describeGap(lastAt) : null;
    const failure = gap ?? describeUnparsed(part);
    return {
      ...{ at, failure },
      log: addPeriod(known, {
        ...{ part, period, withoutRobots: changes.withoutRobots },
        tracked: await lines.track(),
        isDocumented: (name) => crawlers.has(name),
      }),
      impacts: [
        // Each gap is one of its own.
        ...(failure !== null && (gap !== null || lastFailure === null)
          ? [getFailureImpact(failure, log)]
          : []),
        ...(failure === null && lastFailure !== null ? [getRecoveryImpact(log)] : []),
        ...getChangeImpacts(changes, part.summary, { site, path }),
      ],
    };
  } finally {
    await lines.close();
  }
}

function describeGap(lastAt: number | null): string {
  const since = lastAt === null ? '' : ` since ${new Date(lastAt).toISOString().replace(/\.\d+Z/, 'Z')}`;
  return `lines${since} may be missing: the file was replaced or emptied, and no rotated file beside it continues it`;
}

/** Describes that lines cannot be read; `null` if they can. The lines can have addresses of visitors, and are not stored. */
function describeUnparsed({ summary }: JudgedPart): string | null {
  const { read, unparsed } = summary.lines;
  const isMost = unparsed * 2 > read;
  if (unparsed <= read * MAX_UNPARSED_SHARE || (unparsed <= MAX_UNPARSED && !isMost)) return null;
  return `${formatCount(unparsed)} of ${formatCount(read, 'line')} cannot be read; set their format with --format`;
}

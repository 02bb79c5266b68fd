// `maycrawl audit compare`: the changes from one run to another.

import { compareRuns, getComparable, type RunChange } from '../../../audit/report/compare/compare.ts';
import {
  comparePreferences,
  type PreferenceChange,
} from '../../../audit/report/compare/preference-changes.ts';
import { compareTitles, type TitleChange } from '../../../audit/report/compare/title-changes.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import { withRun } from './open-run.ts';
import type { AuditCompareOptions } from './options.ts';

type Change = RunChange | TitleChange;

const KINDS: readonly Change['kind'][] = ['lost', 'won', 'changed', 'appeared', 'disappeared', 'title'];
/** The kinds that are about one crawler each. */
const OF_CRAWLERS: readonly Change['kind'][] = ['lost', 'won', 'changed'];

/**
 * Prints the changes, URL by URL, and a summary; in JSON one object a line.
 *
 * @returns the exit code: 1 if a URL is no longer indexable, else 0.
 * @throws {CommandError} if a run cannot be read, or the runs have no crawler in common.
 */
export async function auditCompare(
  before: string,
  after: string,
  options: AuditCompareOptions,
): Promise<number> {
  return withRun(before, (old) =>
    withRun(after, async (now) => {
      const { agents, notes } = getComparable(old, now);
      if (agents.length === 0) throw new CommandError('the runs have no crawler in common');
      const counts = new ChangeCounts(agents);
      for (const changes of [compareRuns(old, now), compareTitles(old, now)])
        for await (const change of changes) {
          counts.add(change);
          await writeOut(options.json ? `${toJson(change)}\n` : describe(change));
        }
      const preferences = await comparePreferences(old, now);
      for (const change of preferences)
        await writeOut(options.json ? `${toJson(change)}\n` : describePreference(change));
      if (options.json) await writeOut(`${toJson({ kind: 'summary', agents, notes, ...counts.toJson() })}\n`);
      else {
        const words = counts.describe();
        if (preferences.length > 0) words.push(`${formatCount(preferences.length, 'preference')} changed`);
        await writeOut(`${words.length === 0 ? 'No changes' : words.join(', ')}.\n`);
        for (const note of notes) printMessage(note);
      }
      return counts.hasLost ? 1 : 0;
    }),
  );
}

const DESCRIPTIONS: Readonly<Record<Change['kind'], string>> = {
  lost: 'no longer indexable',
  won: 'now indexable',
  changed: 'not indexable for another reason',
  appeared: 'new',
  disappeared: 'removed',
  title: 'with another title',
};

/** Counts changes: those of crawlers for each crawler, because a sum over crawlers says nothing about any. */
class ChangeCounts {
  readonly #counts: Readonly<Record<Change['kind'], Record<string, number>>>;
  readonly #agents: readonly string[];

  constructor(agents: readonly string[]) {
    this.#agents = agents;
    const counts = (kind: Change['kind']): Record<string, number> =>
      Object.fromEntries((OF_CRAWLERS.includes(kind) ? agents : ['']).map((agent) => [agent, 0]));
    this.#counts = Object.fromEntries(KINDS.map((kind) => [kind, counts(kind)])) as Record<
      Change['kind'],
      Record<string, number>
    >;
  }

  get hasLost(): boolean {
    return Object.values(this.#counts.lost).some((count) => count > 0);
  }

  add(change: Change): void {
    const counts = this.#counts[change.kind];
    const agent = 'agent' in change ? change.agent : '';
    counts[agent] = (counts[agent] ?? 0) + 1;
  }

  /** By kind a number, or an object with the number of each crawler. */
  toJson(): Record<string, number | Record<string, number>> {
    return Object.fromEntries(KINDS.map((kind) => [kind, this.#counts[kind][''] ?? this.#counts[kind]]));
  }

  describe(): string[] {
    return KINDS.flatMap((kind) => {
      const counts = Object.entries(this.#counts[kind]).filter(([, count]) => count > 0);
      if (counts.length === 0) return [];
      const numbers = counts.map(([agent, count]) =>
        agent === '' || this.#agents.length === 1
          ? formatCount(count)
          : `${formatCount(count)} for ${visible(agent)}`,
      );
      return `${numbers.join(' and ')} ${DESCRIPTIONS[kind]}`;
    });
  }
}

function describe(change: Change): string {
  const { red, green, dim } = getColors(process.stdout);
  const url = visible(change.url);
  if (change.kind === 'title')
    return `title    ${url}\n           ${dim(`${quote(change.before)} → ${quote(change.after)}`)}\n`;
  if (!('agent' in change))
    return change.kind === 'appeared' ? `${green('new    ')}  ${url}\n` : `${red('removed')}  ${url}\n`;
  const { kind, agent, before, after, changes } = change;
  const mark = kind === 'lost' ? red('lost   ') : kind === 'won' ? green('won    ') : 'changed';
  const reasons = `${before ?? 'indexable'} → ${after ?? 'indexable'}`;
  const details = changes.map((each) => `           ${dim(visible(each))}\n`).join('');
  return `${mark}  ${url}  ${visible(agent)}: ${reasons}\n${details}`;
}

function describePreference({ agent, purpose, before, after, urls, examples }: PreferenceChange): string {
  const { dim } = getColors(process.stdout);
  const list = examples.map((url) => `           ${dim(visible(url))}\n`).join('');
  return `use      ${visible(agent)}: ${purpose} of ${formatCount(urls, 'URL')}: ${before} → ${after}\n${list}`;
}

function quote(title: string | null): string {
  return title === null || title === '' ? 'none' : `"${visible(title)}"`;
}

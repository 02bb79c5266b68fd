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
      const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Change['kind'], number>;
      for (const changes of [compareRuns(old, now), compareTitles(old, now)])
        for await (const change of changes) {
          counts[change.kind]++;
          await writeOut(options.json ? `${toJson(change)}\n` : describe(change));
        }
      const preferences = await comparePreferences(old, now);
      for (const change of preferences)
        await writeOut(options.json ? `${toJson(change)}\n` : describePreference(change));
      if (options.json) await writeOut(`${toJson({ kind: 'summary', agents, notes, ...counts })}\n`);
      else {
        const kinds = KINDS.filter((kind) => counts[kind] > 0);
        const words = kinds.map((kind) => `${formatCount(counts[kind])} ${DESCRIPTIONS[kind]}`);
        if (preferences.length > 0) words.push(`${formatCount(preferences.length, 'preference')} changed`);
        await writeOut(`${words.length === 0 ? 'No changes' : words.join(', ')}.\n`);
        for (const note of notes) printMessage(note);
      }
      return counts.lost > 0 ? 1 : 0;
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

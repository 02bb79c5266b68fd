// Headers and meta elements of a page, in bounded number.

import type { SourceProblem } from '../source-problem.ts';
import type { PageSources } from '../sources.ts';
import { limitText, type StatementSource } from '../statement.ts';

/** A header of the response, or a meta element of the page with its `name` and `content`. */
export interface NamedValue {
  readonly source: Extract<StatementSource, 'header' | 'meta'>;
  readonly name: string;
  readonly value: string;
}

/** Different headers and meta elements that are read, and their characters together. */
const [MAX_VALUES, MAX_CHARS] = [1_000, 262_144] as const;

export function getNamedValues({ headers = [], metas = [] }: PageSources): NamedValue[] {
  return [
    ...headers.map(([name, value]): NamedValue => ({ source: 'header', name, value })),
    ...metas.map(({ name, content }): NamedValue => ({ source: 'meta', name, value: content })),
  ];
}

export interface SelectedValues {
  readonly values: readonly NamedValue[];
  /** Why others are not read; `null` if all are. */
  readonly problem: (SourceProblem & Pick<NamedValue, 'source' | 'name'>) | null;
}

/**
 * Selects the values that are read: the first different ones within the limits. Of equal values the last counts, since a later value can
 * replace an earlier one.
 *
 * @param all - only those that can state a preference.
 * @param isList - whether a part of a value says a part of what it says, as for a list of directives. Others are read wholly, or not.
 */
export function selectValues(
  all: readonly NamedValue[],
  isList: (value: NamedValue) => boolean,
): SelectedValues {
  const different = removeRepeated(all);
  const values: NamedValue[] = [];
  const unread: NamedValue[] = [];
  let chars = 0;
  for (const each of different) {
    const left = values.length < MAX_VALUES ? MAX_CHARS - chars : 0;
    const isWhole = each.value.length <= left && values.length < MAX_VALUES;
    if (!isWhole) unread.push(each);
    const value = isWhole ? each.value : isList(each) ? cutList(each.value, left) : '';
    if (!isWhole && value === '') continue;
    chars += value.length;
    values.push({ ...each, value });
  }
  const [first] = unread;
  if (first === undefined) return { values, problem: null };
  const { source, name } = first;
  const reason = `${unread.length} of ${different.length} different headers and meta elements are not read, or not wholly: at most ${MAX_VALUES} with ${MAX_CHARS} characters are`;
  return { values, problem: { source, name: limitText(name), line: null, reason } };
}

/** Returns the elements of a list that fit into a number of characters. */
function cutList(list: string, chars: number): string {
  return list.slice(0, Math.max(0, list.lastIndexOf(',', chars)));
}

function removeRepeated(all: readonly NamedValue[]): NamedValue[] {
  const seen = new Map<string, Set<string>>();
  return all
    .toReversed()
    .filter(({ source, name, value }) => {
      const key = `${source} ${name.trim().toLowerCase()}`;
      const texts = seen.get(key) ?? new Set();
      if (texts.has(value)) return false;
      seen.set(key, texts.add(value));
      return true;
    })
    .reverse();
}

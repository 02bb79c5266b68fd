// The JSON of changed declarations about the use of content.
import type { DeclarationComparison, DeclaredPreference, LicenseReference } from '@maycrawl/core/preferences';
import type { WatchJson } from '../api/watch-api.ts';
import { describeChanges } from '../preferences/describe-changes.ts';
import { BoundedLists, type ListLimits, OUTPUT_LISTS } from './bounded-list.ts';

/**
 * Reports every change with its crawlers and an example, and the changes of licences.
 *
 * @param limits - of all lists. If one is cut, `totals` has the numbers of all items.
 */
export function declarationsReport(
  comparison: DeclarationComparison,
  limits: ListLimits = OUTPUT_LISTS,
): WatchJson<'DeclarationComparison'> {
  const { equivalent, changes, licenses, undecided, wording } = comparison;
  const lists = new BoundedLists(limits);
  const listed = {
    changes: lists.take(
      map(changes, ({ purpose, crawlers, example, before, after }) => ({
        purpose,
        agents: crawlers.map(({ name }) => name),
        example,
        before: toValueReport(before),
        after: toValueReport(after),
      })),
    ),
    licenses: lists.take(
      map(licenses, ({ crawlers, before, after }) => ({
        agents: crawlers.map(({ name }) => name),
        before: before.map(toLicenseReport),
        after: after.map(toLicenseReport),
      })),
    ),
  };
  return {
    equivalent,
    sentences: describeChanges(comparison).slice(0, MAX_SENTENCES),
    ...listed,
    ...(undecided.length > 0 && { undecided: lists.take(map(undecided, ({ name }) => name)) }),
    wording,
    ...(lists.isTruncated && { totals: { changes: changes.length, licenses: licenses.length } }),
  };
}

/** A licence can change in another way for each crawler. */
const MAX_SENTENCES = 20;

/** Converts one item after the other, because a list that is cut needs only the first ones. */
function* map<T, R>(items: readonly T[], convert: (item: T) => R): Generator<R, void, undefined> {
  for (const item of items) yield convert(item);
}

function toValueReport({ value, statement }: DeclaredPreference): WatchJson<'DeclaredValue'> {
  if (statement === null) return { value };
  const { format, label, line, name, text } = statement;
  return { value, format, label, line, field: name, text };
}

function toLicenseReport({ url, line }: LicenseReference): WatchJson<'LicenseLine'> {
  return { url, line };
}

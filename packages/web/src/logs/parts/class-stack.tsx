// The classes of requests as a bar, with their shares as text.
import type { ReportCrawler, RequestClass } from 'maycrawl/api';
import { Fragment, type JSX } from 'preact';
import { Key, type Part, Stack } from '../../shared/charts/charts.tsx';
import { formatShare } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { CLASS_DESCRIPTIONS, CLASS_LABELS } from '../text.ts';

export const CLASSES = Object.keys(CLASS_LABELS) as readonly RequestClass[];

/** The classes that occur. */
export function listParts(classes: Readonly<Partial<Record<RequestClass, number>>>): Part[] {
  return CLASSES.map((name) => ({
    name,
    label: CLASS_LABELS[name],
    count: classes[name] ?? 0,
    description: CLASS_DESCRIPTIONS[name],
  })).filter(({ count }) => count > 0);
}

/** Shares that the text names, the largest first. Violations are always among them; the table has a column for robots.txt. */
const MAX_NAMED = 3;

export function ClassStack({ crawler, classes }: Pick<ReportCrawler, 'crawler' | 'classes'>): JSX.Element {
  const parts = listParts(classes);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <span class="zero">all requests are spoofed</span>;
  const getRank = ({ name, count }: Part): number =>
    name === 'violation' ? Number.POSITIVE_INFINITY : count;
  const pages = parts.filter(({ name }) => name !== 'robots-txt' || parts.length === 1);
  const named = [...pages].sort((a, b) => getRank(b) - getRank(a)).slice(0, MAX_NAMED);
  return (
    <>
      <Stack parts={parts} label={`Requests as ${visible(crawler, 60)} by class`} />
      <small>
        {[...named]
          .sort((a, b) => b.count - a.count)
          .map(({ name, label, count }, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <span class="unbroken">
                {label} {formatShare(count, total, 1)}
              </span>
            </Fragment>
          ))}
        {pages.length > named.length && ', …'}
      </small>
    </>
  );
}

export function ClassKey({ classes }: { readonly classes: readonly Part[] }): JSX.Element {
  return (
    <p class="key aside">
      {classes.map(({ name, label }) => (
        <Key key={name} name={name} label={label} />
      ))}
    </p>
  );
}

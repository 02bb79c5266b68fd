/**
 * A part of the list of sites.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { ListedSite, SitesAnswer } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { linkTo } from '../route.ts';
import { Moment, outcomeOfSite, SeverityBadge, State, titleWithout } from '../words.tsx';

/** Which sites are wanted; an empty text: any. */
export interface SitesFilter {
  readonly search: string;
  readonly holds: string;
  readonly severity: string;
}

/** Sites of one page. */
const PAGE = 50;
interface SitesPageProps {
  readonly filter: SitesFilter;
  readonly after: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMore: (next: string) => void;
}

/** Asks for a part of the list, and shows it. */
export function SitesPage({ filter, after, isFirst, isLast, onMore }: SitesPageProps): JSX.Element {
  const { search, holds, severity } = filter;
  const query = {
    limit: PAGE,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(holds !== '' && { holds }),
    ...(severity !== '' && { severity }),
    ...(after !== '' && { after }),
  };
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  // A new site may belong here; that one was checked concerns those that are shown.
  const [reply] = useAnswer<SitesAnswer>(
    'sites',
    query,
    ({ kind, origins }) => kind !== 'checked' || origins.some((origin) => shown.has(origin)),
  );
  useEffect(() => {
    if (reply?.kind !== 'answer') return;
    setShown(new Set(reply.answer.sites.map(({ origin }) => origin)));
    // Not all were looked at: the next ones are asked for without being told to.
    const { sites, next } = reply.answer;
    if (isLast && next !== null && sites.length < PAGE) onMore(next);
  }, [reply]);
  if (reply === null) return <p>Loading…</p>;
  if (reply.kind === 'problem') return <p class="problem">{visible(reply.message)}</p>;
  const { sites, next } = reply.answer;
  const isEmpty = isFirst && sites.length === 0 && next === null;
  return (
    <>
      {isFirst && <Summary answer={reply.answer} />}
      {isEmpty && <p>There is no such site.</p>}
      {sites.length > 0 && (
        <ul class="sites">
          {sites.map((site) => (
            <Site key={site.origin} site={site} />
          ))}
        </ul>
      )}
      {isLast && next !== null && (
        <button type="button" onClick={() => onMore(next)}>
          Show more
        </button>
      )}
    </>
  );
}

function Summary({
  answer: { total, due, waiting, dropped },
}: {
  readonly answer: SitesAnswer;
}): JSX.Element {
  const told = [
    `${total.toLocaleString('en')} watched`,
    `${due.toLocaleString('en')} due`,
    ...(waiting > 0 ? [`${waiting.toLocaleString('en')} messages waiting`] : []),
    ...(dropped > 0 ? [`${dropped.toLocaleString('en')} messages given up`] : []),
  ];
  return <p class="aside">{told.join(', ')}</p>;
}

function Site({ site }: { readonly site: ListedSite }): JSX.Element {
  const { origin, holds, event, changedAt, checkedAt, dueAt } = site;
  return (
    <li>
      <a href={linkTo({ view: 'site', origin })}>{visible(origin, 100)}</a>
      <span>
        <State holds={holds} /> <span class="aside">{outcomeOfSite(site)}</span>
      </span>
      <span>
        {event === null ? (
          <span class="aside">nothing happened yet</span>
        ) : (
          <>
            <SeverityBadge severity={event.severity} /> {titleWithout(origin, event.title)}
          </>
        )}
      </span>
      <span class="aside">
        changed <Moment at={changedAt} />, checked <Moment at={checkedAt} />, next <Moment at={dueAt} />
      </span>
    </li>
  );
}

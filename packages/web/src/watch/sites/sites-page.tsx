// A page of the list of sites.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SeverityBadge } from '../../shared/severity.tsx';
import { formatCount } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Moment, PolicyBadge } from '../badges.tsx';
import { useResponse } from '../connection/watch-client.ts';
import { linkTo } from '../route.ts';
import { describeResult, formatTitle, summariseSites } from '../text.ts';

/** Conditions for sites. An empty text is none. */
export interface SitesFilter {
  readonly search: string;
  readonly policy: string;
  readonly severity: string;
}

/** Sites of a page. */
const PAGE_SIZE = 50;

interface SitesPageProps {
  readonly filter: SitesFilter;
  readonly after: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMore: (next: string) => void;
}

export function SitesPage({ filter, after, isFirst, isLast, onMore }: SitesPageProps): JSX.Element {
  const { search, policy, severity } = filter;
  const query = {
    limit: PAGE_SIZE,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(policy !== '' && { policy }),
    ...(severity !== '' && { severity }),
    ...(after !== '' && { after }),
  };
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  // An event may add a site to this page; a check only changes a site that is shown.
  const [result] = useResponse(
    'GET sites',
    query,
    ({ kind, origins }) => kind !== 'checked' || origins.some((origin) => shown.has(origin)),
  );
  useEffect(() => {
    if (result?.kind !== 'success') return;
    const { sites, next } = result.value;
    setShown(new Set(sites.map(({ origin }) => origin)));
    // The service has not searched all sites: it continues with the next request.
    if (isLast && next !== null && sites.length < PAGE_SIZE) onMore(next);
  }, [result]);
  if (result === null) return <p>Loading…</p>;
  if (result.kind === 'problem') return <p class="problem">{visible(result.message)}</p>;
  const { sites, next, failing = [] } = result.value;
  const isEmpty = isFirst && sites.length === 0 && next === null;
  return (
    <>
      {isFirst && <p class="aside">{summariseSites(result.value)}</p>}
      {isFirst && failing.length > 0 && (
        <ul class="events">
          {failing.map(({ target, since, alerts, reason }) => (
            <li key={target} class="problem">
              Not delivered to <code>{visible(target, 200)}</code> since <Moment at={since} /> (
              {formatCount(alerts, 'alert')}): {visible(reason, 300)}
            </li>
          ))}
        </ul>
      )}
      {isEmpty && <p>No site matches.</p>}
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

function Site({ site }: { readonly site: WatchJson<'ListedSite'> }): JSX.Element {
  const { origin, policy, result, status, message, event, changedAt, checkedAt, dueAt } = site;
  return (
    <li>
      <a href={linkTo({ view: 'site', origin })}>{visible(origin, 100)}</a>
      <span>
        <PolicyBadge policy={policy} />{' '}
        {result !== null && (
          <span class="aside">
            {describeResult({ kind: result, bytes: null, status, message, sameAs: null })}
          </span>
        )}
      </span>
      <span>
        {event === null ? (
          <span class="aside">no events yet</span>
        ) : (
          <>
            <SeverityBadge severity={event.severity} /> {formatTitle({ origin, title: event.title })}
          </>
        )}
      </span>
      <span class="aside">
        changed <Moment at={changedAt} />, checked <Moment at={checkedAt} />, next check <Moment at={dueAt} />
      </span>
    </li>
  );
}

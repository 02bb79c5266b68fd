// One site: its effective policy, its versions over time, its events and its settings.
import { describeOriginPolicy } from '@maycrawl/client/policy';
import type { WatchJson, WatchResponse } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Fact } from '../../shared/fact.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { hasAudits, parseTime, readPolicy } from '../../shared/requests/service.ts';
import { formatCount, formatMoment } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Moment, PolicyBadge } from '../badges.tsx';
import { concernsSite } from '../connection/live-stream.ts';
import { usePages } from '../connection/use-pages.ts';
import { useResponse } from '../connection/watch-client.ts';
import { Band } from '../history/band.tsx';
import { LENGTHS, limitSpan, type Span } from '../history/spans.ts';
import { UrlsOverTime } from '../history/urls-chart.tsx';
import { linkTo } from '../route.ts';
import { SiteForm } from '../settings/site-form.tsx';
import { describeSettings } from '../text.ts';
import { DeleteSiteDialog } from './delete-site-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventsList } from './events-list.tsx';
import { VersionsTable } from './versions-table.tsx';

export function SiteView({ origin }: { readonly origin: string }): JSX.Element {
  const [result, reload] = useResponse('GET site', { origin }, concernsSite(origin));
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const [period, setPeriod] = useState(Number.POSITIVE_INFINITY);
  return (
    <>
      <div class="bar">
        <h2 class="grow">{visible(origin, 200)}</h2>
        {result?.kind === 'success' && (
          <>
            {hasAudits() && (
              <a href={`./audits.html#${new URLSearchParams({ site: `${origin}/` })}`}>Audits</a>
            )}
            <button type="button" onClick={() => setDialog('edit')}>
              Edit…
            </button>
            <button type="button" onClick={() => setDialog('delete')}>
              Delete…
            </button>
          </>
        )}
      </div>
      {result === null && <p>Loading…</p>}
      {result?.kind === 'problem' && <p class="problem">{visible(result.message)}</p>}
      {result?.kind === 'success' && <Details site={result.value} period={period} onPeriod={setPeriod} />}
      {dialog === 'edit' && (
        <SiteForm
          origin={origin}
          onClose={() => {
            setDialog(null);
            reload();
          }}
        />
      )}
      {dialog === 'delete' && <DeleteSiteDialog origin={origin} onClose={() => setDialog(null)} />}
    </>
  );
}

interface DetailsProps {
  readonly site: WatchResponse<'GET site'>;
  /** Milliseconds back from now that the drawings show. */
  readonly period: number;
  readonly onPeriod: (period: number) => void;
}

function Details({ site, period, onPeriod }: DetailsProps): JSX.Element {
  const { origin, settings, deliveries } = site;
  const { items: versions, loadMore: loadVersions } = usePages({
    ...{ name: 'versions', origin, newest: site.versions, hasMore: site.moreVersions },
    getKey: ({ number }) => String(number),
    getCursor: ({ number }) => number,
  });
  const { items: events, loadMore: loadEvents } = usePages({
    ...{ name: 'events', origin, newest: site.events, hasMore: site.moreEvents },
    getKey: ({ id }) => id,
    getCursor: ({ at }) => at,
  });
  const span = useMemo<Span>(() => {
    const from = Date.parse(versions.at(-1)?.firstSeen ?? '');
    const to = Math.max(Date.parse(versions[0]?.lastSeen ?? '') || 0, Date.now());
    return limitSpan({ from: Number.isNaN(from) ? to : from, to }, period);
  }, [versions, period]);
  return (
    <>
      <section class="card" aria-labelledby="now">
        <h2 id="now">Now</h2>
        <CurrentState site={site} />
      </section>
      {versions.length > 0 && (
        <section class="card" aria-labelledby="over-time">
          <div class="bar">
            <h2 id="over-time" class="grow">
              Over time
            </h2>
            <Select label="Period" value={period} choices={LENGTHS} onChoose={onPeriod} />
          </div>
          <Band span={span} versions={versions} events={events} />
          <VersionsTable origin={origin} versions={versions} />
          {loadVersions !== null && (
            <button type="button" onClick={loadVersions}>
              Older versions
            </button>
          )}
        </section>
      )}
      {settings.urls !== null && <UrlsOverTime origin={origin} span={span} />}
      {events.length > 0 && (
        <section class="card" aria-labelledby="events">
          <h2 id="events">Events</h2>
          <EventsList events={events} findPrevious={(version) => findPrevious(versions, version)} />
          {loadEvents !== null && (
            <button type="button" onClick={loadEvents}>
              Older events
            </button>
          )}
        </section>
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
      <section class="card" aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <Settings settings={settings} />
      </section>
    </>
  );
}

/** Finds the last version with rules, or without a file, before a version of these kinds. */
function findPrevious(versions: readonly WatchJson<'Version'>[], version: number): number | null {
  const numbers = versions.filter(({ kind }) => kind !== 'unreachable').map(({ number }) => number);
  return numbers.includes(version) ? (numbers.find((number) => number < version) ?? null) : null;
}

function CurrentState({ site }: Pick<DetailsProps, 'site'>): JSX.Element {
  const { policy, version, checks, checkedAt, dueAt, outage, throttledAt } = site;
  return (
    <>
      <p>
        <PolicyBadge policy={policy} />
        {version > 0 && (
          <>
            {' '}
            <a href={linkTo({ view: 'version', origin: site.origin, number: version })}>version {version}</a>
          </>
        )}
      </p>
      {outage !== null && (
        <p>
          {visible(describeOutage(policy, outage), 400)} {formatCount(outage.failures, 'failed check')}.
        </p>
      )}
      {throttledAt !== null && (
        <p>The site changes too often: notifications resume when it has not changed for an hour.</p>
      )}
      <p class="aside">
        {formatCount(checks, 'check')}; the last one was <Moment at={checkedAt} />, the next one is due{' '}
        <Moment at={dueAt} />.
      </p>
    </>
  );
}

function describeOutage(
  policy: WatchJson<'Policy'>,
  { since, message, nextPhaseAt }: WatchJson<'Outage'>,
): string {
  const outage = { since: parseTime(since), message };
  return describeOriginPolicy(
    { policy: readPolicy(policy), outage, nextPhaseAt: parseTime(nextPhaseAt) },
    formatMoment,
  );
}

function Settings({ settings }: Pick<WatchJson<'Site'>, 'settings'>): JSX.Element {
  return (
    <dl class="facts">
      {describeSettings(settings).map(([name, value]) => (
        <Fact key={name} name={visible(name, 100)}>
          {visible(value, 1000)}
        </Fact>
      ))}
    </dl>
  );
}

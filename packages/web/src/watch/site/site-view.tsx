/**
 * One site: what holds, what it answered over time, what happened, and how it is watched.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import type { SiteAnswer, Version, WatchEvent } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { isAbout } from '../connection/live.ts';
import { useOlder } from '../connection/older.ts';
import { Band } from '../history/band.tsx';
import { LENGTHS, lastOf, type Span } from '../history/spans.ts';
import { UrlsOverTime } from '../history/urls-chart.tsx';
import { linkTo } from '../route.ts';
import { SiteForm } from '../settings/site-form.tsx';
import { Moment, State } from '../words.tsx';
import { Forgetting } from './delete-site-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventsList } from './events-list.tsx';
import { Settings } from './site-settings.tsx';
import { VersionsTable } from './versions-table.tsx';

/** Shows a site. */
export function SiteView({ origin }: { readonly origin: string }): JSX.Element {
  const [reply, reload] = useAnswer<SiteAnswer>('site', { origin }, isAbout(origin));
  const [asked, setAsked] = useState<'edit' | 'forget' | null>(null);
  const [length, setLength] = useState(Number.POSITIVE_INFINITY);
  return (
    <>
      <div class="bar">
        <h2 class="grow">{visible(origin, 200)}</h2>
        {reply?.kind === 'answer' && (
          <>
            <button type="button" onClick={() => setAsked('edit')}>
              Edit…
            </button>
            <button type="button" onClick={() => setAsked('forget')}>
              Forget…
            </button>
          </>
        )}
      </div>
      {reply === null && <p>Loading…</p>}
      {reply?.kind === 'problem' && <p class="problem">{visible(reply.message)}</p>}
      {reply?.kind === 'answer' && <Known site={reply.answer} length={length} onLength={setLength} />}
      {asked === 'edit' && (
        <SiteForm
          origin={origin}
          onClose={() => {
            setAsked(null);
            reload();
          }}
        />
      )}
      {asked === 'forget' && <Forgetting origin={origin} onClose={() => setAsked(null)} />}
    </>
  );
}

interface KnownProps {
  readonly site: SiteAnswer;
  readonly length: number;
  readonly onLength: (length: number) => void;
}

function Known({ site, length, onLength }: KnownProps): JSX.Element {
  const { origin, settings, deliveries } = site;
  const { items: versions, onMore: onOlderVersions } = useOlder<Version>({
    ...{ path: 'versions', origin, newest: site.versions, hasMore: site.moreVersions },
    keyOf: ({ number }) => String(number),
    cursorOf: ({ number }) => number,
  });
  const { items: events, onMore: onOlderEvents } = useOlder<WatchEvent>({
    ...{ path: 'events', origin, newest: site.events, hasMore: site.moreEvents },
    keyOf: ({ id }) => id,
    cursorOf: ({ at }) => at,
  });
  const span = useMemo<Span>(() => {
    const from = Date.parse(versions.at(-1)?.firstSeen ?? '');
    const to = Math.max(Date.parse(versions[0]?.lastSeen ?? '') || 0, Date.now());
    return lastOf({ from: Number.isNaN(from) ? to : from, to }, length);
  }, [versions, length]);
  const files = versions.filter(({ kind }) => kind !== 'unreachable').map(({ number }) => number);
  const before = (version: number): number | null =>
    files.includes(version) ? (files.find((number) => number < version) ?? null) : null;
  return (
    <>
      <section class="card" aria-labelledby="now">
        <h2 id="now">Now</h2>
        <Now site={site} />
      </section>
      {versions.length > 0 && (
        <section class="card" aria-labelledby="over-time">
          <div class="bar">
            <h2 id="over-time" class="grow">
              Over time
            </h2>
            <label>
              Look back{' '}
              <select
                value={String(length)}
                onChange={({ currentTarget }) => onLength(Number(currentTarget.value))}
              >
                {LENGTHS.map(([word, each]) => (
                  <option key={word} value={String(each)}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <Band span={span} versions={versions} events={events} />
          <VersionsTable origin={origin} versions={versions} />
          {onOlderVersions !== null && (
            <button type="button" onClick={onOlderVersions}>
              Older versions
            </button>
          )}
        </section>
      )}
      {settings.urls !== null && <UrlsOverTime origin={origin} span={span} />}
      {events.length > 0 && (
        <section class="card" aria-labelledby="happened">
          <h2 id="happened">What happened</h2>
          <EventsList events={events} before={before} />
          {onOlderEvents !== null && (
            <button type="button" onClick={onOlderEvents}>
              Older events
            </button>
          )}
        </section>
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
      <section class="card" aria-labelledby="settings">
        <h2 id="settings">How it is watched</h2>
        <Settings settings={settings} />
      </section>
    </>
  );
}

function Now({ site }: { readonly site: SiteAnswer }): JSX.Element {
  const { holds, version, checks, checkedAt, dueAt, outage, throttledAt } = site;
  return (
    <>
      <p>
        <State holds={holds} />
        {version > 0 && (
          <>
            {' '}
            <a href={linkTo({ view: 'version', origin: site.origin, number: version })}>version {version}</a>
          </>
        )}
      </p>
      {outage !== null && (
        <p>
          It fails since <Moment at={outage.since} />: {visible(outage.reason, 200)} (
          {outage.failures.toLocaleString('en')} times).
        </p>
      )}
      {throttledAt !== null && (
        <p>It changes all the time: nobody is told until it has been quiet for an hour.</p>
      )}
      <p class="aside">
        Checked {checks.toLocaleString('en')} {checks === 1 ? 'time' : 'times'}, last{' '}
        <Moment at={checkedAt} />, next <Moment at={dueAt} />.
      </p>
    </>
  );
}

// The monitor pages: one view at a time, chosen by the fragment of the address, and kept up to date.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { TokenField } from '../shared/fields/token-field.tsx';
import { hasMonitor, storeToken } from '../shared/requests/service.ts';
import { visible } from '../shared/visible.ts';
import { type LiveState, LiveStream } from './connection/live-stream.ts';
import { createRequest, type WatchClient, WatchClientContext } from './connection/watch-client.ts';
import { linkTo, type Route, useRoute } from './route.ts';
import { SiteView } from './site/site-view.tsx';
import { SitesView } from './sites/sites-view.tsx';
import { CompareView } from './versions/compare-view.tsx';
import { VersionView } from './versions/version-view.tsx';

const LIVE_LABELS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  live: 'Up to date',
  disconnected: 'Not connected. Reconnecting…',
};

export function WatchApp(): JSX.Element {
  const route = useRoute();
  const [liveState, setLiveState] = useState<LiveState>('connecting');
  const [announcement, setAnnouncement] = useState('');
  /** Why a token is required; `null` if none is. */
  const [tokenMessage, setTokenMessage] = useState<string | null>(null);
  /** Grows with each token: then all requests are repeated. */
  const [session, setSession] = useState(0);
  const client = useMemo<WatchClient>(
    () => ({ request: createRequest(setTokenMessage), live: new LiveStream(setLiveState) }),
    [session],
  );
  useEffect(() => {
    if (!hasMonitor()) return;
    const { live } = client;
    const unsubscribe = live.subscribe(({ kind, origins, severity }) => {
      if (kind === 'event') setAnnouncement(`${severity ?? 'event'}: ${visible(origins[0] ?? '', 100)}`);
    });
    live.start();
    return () => {
      unsubscribe();
      live.stop();
    };
  }, [client]);
  const onToken = (token: string): void => {
    storeToken(token);
    setTokenMessage(null);
    setSession(session + 1);
  };
  return (
    <WatchClientContext.Provider value={client}>
      <header class="top">
        <h1>
          <img src="./favicon.svg" alt="" width="26" height="26" />
          maycrawl <span>watched sites</span>
        </h1>
        <nav aria-label="Pages">
          <a href="#/">All sites</a> <a href="./">robots.txt tester</a>
        </nav>
        <p class={`live ${liveState}`} role="status">
          {LIVE_LABELS[liveState]}
        </p>
      </header>
      {/* For screen readers. */}
      <p class="unseen" role="status">
        {announcement}
      </p>
      <main class="watch" key={session}>
        {!hasMonitor() && (
          <p class="notice">
            This server has no monitor. Start one with <code>maycrawl serve --watch-database DATABASE</code>.
          </p>
        )}
        {hasMonitor() && tokenMessage !== null && <TokenField message={tokenMessage} onToken={onToken} />}
        {hasMonitor() && tokenMessage === null && <View route={route} />}
      </main>
      <footer class="bottom">Times are in the time zone of this device.</footer>
    </WatchClientContext.Provider>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  const main = useRef<HTMLDivElement>(null);
  const link = linkTo(route);
  const last = useRef(link);
  useEffect(() => {
    // The focus follows a link to the beginning of the new view.
    if (last.current !== link) main.current?.focus();
    last.current = link;
    document.title = `maycrawl – ${route.view === 'sites' ? 'watched sites' : visible(route.origin, 100)}`;
    scrollTo(0, 0);
  }, [link]);
  return (
    <div class="view" tabIndex={-1} ref={main} key={link}>
      {route.view === 'sites' && <SitesView />}
      {route.view === 'site' && <SiteView origin={route.origin} />}
      {route.view === 'version' && <VersionView origin={route.origin} number={route.number} />}
      {route.view === 'compare' && <CompareView {...route} />}
    </div>
  );
}

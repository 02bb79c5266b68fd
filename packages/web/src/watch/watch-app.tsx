/**
 * The pages of the monitor: one view at a time, chosen by the address, and up to date as long as it is looked at.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createApi } from '../shared/api.ts';
import { isMonitorThere, keepToken } from '../shared/service.ts';
import { TokenField } from '../shared/token-field.tsx';
import { visible } from '../shared/visible.ts';
import { type Service, ServiceContext } from './connection/asking.ts';
import { Live, type LiveState } from './connection/live.ts';
import { linkTo, type Route, useRoute } from './route.ts';
import { SiteView } from './site/site-view.tsx';
import { SitesView } from './sites/sites-view.tsx';
import { CompareView } from './versions/compare-view.tsx';
import { VersionView } from './versions/version-view.tsx';

const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  live: 'Up to date',
  away: 'Not connected: it is tried again',
};

/** All of it. */
export function WatchApp(): JSX.Element {
  const route = useRoute();
  const [liveState, setLiveState] = useState<LiveState>('connecting');
  const [news, setNews] = useState('');
  const [needsToken, setNeedsToken] = useState(false);
  /** Grows with each token: then everything is asked again. */
  const [session, setSession] = useState(0);
  const service = useMemo<Service>(
    () => ({ ask: createApi('v1/watch/', () => setNeedsToken(true)), live: new Live(setLiveState) }),
    [session],
  );
  useEffect(() => {
    if (!isMonitorThere()) return;
    const { live } = service;
    const stop = live.listen(({ kind, origins, severity }) => {
      if (kind === 'event') setNews(`${severity ?? 'news'}: ${visible(origins[0] ?? '', 100)}`);
    });
    live.start();
    return () => {
      stop();
      live.stop();
    };
  }, [service]);
  const onToken = (token: string): void => {
    keepToken(token);
    setNeedsToken(false);
    setSession(session + 1);
  };
  return (
    <ServiceContext.Provider value={service}>
      <header class="top">
        <h1>
          <img src="./favicon.svg" alt="" width="26" height="26" />
          maycrawl <span>watched sites</span>
        </h1>
        <nav aria-label="Pages">
          <a href="#/">All sites</a> <a href="./">robots.txt tester</a>
        </nav>
        <p class={`live ${liveState}`} role="status">
          {LIVE_WORDS[liveState]}
        </p>
      </header>
      {/* For those who do not see that the page has changed. */}
      <p class="unseen" role="status">
        {news}
      </p>
      <main class="watch" key={session}>
        {!isMonitorThere() && (
          <p class="notice">
            There is no monitor here. <code>maycrawl serve --watch DATABASE</code> serves this page with one.
          </p>
        )}
        {isMonitorThere() && needsToken && <TokenField onToken={onToken} />}
        {isMonitorThere() && !needsToken && <View route={route} />}
      </main>
      <footer class="bottom">Times are those of this device.</footer>
    </ServiceContext.Provider>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  const main = useRef<HTMLDivElement>(null);
  const link = linkTo(route);
  const last = useRef(link);
  useEffect(() => {
    // Who has followed a link is at the beginning of what it leads to.
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

// Redirects of robots.txt.
import { byGoogle, byRfc, defineScenario, FILE, type Reply, type Scenario } from '../scenario.ts';

const redirect = (location: string): Reply => ({ status: 301, headers: { location } });

/** A chain of redirects within the site, from `/robots.txt` over `/hop-1.txt` and so on to a file. */
function chain(count: number): Pick<Scenario, 'paths'> {
  const hops = Array.from({ length: count }, (_, index): [string, Reply] => [
    `/hop-${index + 1}.txt`,
    index + 1 < count ? redirect(`/hop-${index + 2}.txt`) : { body: FILE },
  ]);
  return { paths: Object.fromEntries(hops) };
}

export const REDIRECT_SCENARIOS: readonly Scenario[] = [
  defineScenario(
    'redirects-5',
    'five redirects',
    redirect('/hop-1.txt'),
    {
      rfc9309: byRfc('2.3.1.2', 'private', 'fetch-redirect-010'),
      google: byGoogle('status', 'private', 'fetch-redirect-001'),
    },
    chain(5),
  ),
  defineScenario(
    'redirects-6',
    'six redirects',
    redirect('/hop-1.txt'),
    {
      rfc9309: byRfc('2.3.1.2', 'none', 'fetch-redirect-011'),
      google: byGoogle('status', 'none', 'fetch-redirect-002'),
    },
    chain(6),
  ),
  defineScenario('redirect-loop', 'a redirect to itself', redirect('/robots.txt'), {
    rfc9309: byRfc('2.3.1.2', 'none'),
    google: byGoogle('status', 'none', 'fetch-redirect-018'),
  }),
  defineScenario(
    'redirect-port',
    'a redirect to another port',
    redirect('{other}/rules.txt'),
    { rfc9309: byRfc('2.3.1.2', 'private', 'fetch-redirect-012'), google: byGoogle('status', 'private') },
    { otherPaths: { '/rules.txt': { body: FILE } } },
  ),
  defineScenario(
    'redirect-host',
    'a redirect to another host name',
    redirect('{localhost}/rules.txt'),
    { rfc9309: byRfc('2.3.1.2', 'private', 'fetch-redirect-012'), google: byGoogle('status', 'private') },
    { otherPaths: { '/rules.txt': { body: FILE } } },
  ),
  defineScenario('redirect-missing', 'a redirect to a missing file', redirect('/missing.txt'), {
    rfc9309: byRfc('2.3.1.3', 'none'),
    google: byGoogle('status', 'none', 'fetch-redirect-023'),
  }),
  defineScenario(
    'redirect-error',
    'a redirect to a server error',
    redirect('/error.txt'),
    { rfc9309: byRfc('2.3.1.4', 'all'), google: byGoogle('status', 'all', 'fetch-redirect-024') },
    { paths: { '/error.txt': { status: 500 } } },
  ),
  defineScenario(
    'redirect-html',
    'a page with a meta refresh to a file',
    {
      headers: { 'content-type': 'text/html' },
      body: '<html><head><meta http-equiv="refresh" content="0; url=/rules.txt"></head></html>',
    },
    { rfc9309: byRfc('2.3.1.1', 'none'), google: byGoogle('status', 'none', 'fetch-redirect-030') },
    { paths: { '/rules.txt': { body: FILE } } },
  ),
];

// Status codes of robots.txt.
import { byGoogle, byRfc, defineScenario, FILE, type Scenario } from '../scenario.ts';

const ALLOW = 'User-agent: *\nAllow: /\n';
const DISALLOW = 'User-agent: *\nDisallow: /\n';

/** A status that means that there is no file. Its body, which closes the site, does not count. */
const unavailable = (status: number, rfc: string, google: string): Scenario =>
  defineScenario(
    `status-${status}`,
    `${status}, with a body that disallows all URLs`,
    { status, body: DISALLOW },
    { rfc9309: byRfc('2.3.1.3', 'none', rfc), google: byGoogle('status', 'none', google) },
  );

/** A status that means that the file cannot be fetched. Its body, which opens the site, does not count. */
const unreachable = (status: number, rfc: string, google: string): Scenario =>
  defineScenario(
    `status-${status}`,
    `${status}, with a body that allows all URLs`,
    { status, body: ALLOW },
    { rfc9309: byRfc('2.3.1.4', 'all', rfc), google: byGoogle('status', 'all', google) },
  );

const rules = { rfc9309: byRfc('2.3.1.1', 'private'), google: byGoogle('status', 'private') };
const outage = { rfc9309: byRfc('2.3.1.4', 'all'), google: byGoogle('status', 'all') };

export const STATUS_SCENARIOS: readonly Scenario[] = [
  defineScenario(
    'status-200',
    '200',
    { body: FILE },
    {
      rfc9309: byRfc('2.3.1.1', 'private', 'fetch-status-004'),
      google: byGoogle('status', 'private', 'fetch-status-001'),
    },
  ),
  defineScenario(
    'status-204',
    '204, an empty file',
    { status: 204 },
    { rfc9309: byRfc('2.3.1.1', 'none'), google: byGoogle('status', 'none', 'fetch-status-005') },
  ),
  unavailable(400, 'fetch-status-035', 'fetch-status-008'),
  unavailable(401, 'fetch-status-036', 'fetch-status-009'),
  unavailable(403, 'fetch-status-037', 'fetch-status-010'),
  unavailable(404, 'fetch-status-038', 'fetch-status-011'),
  unavailable(410, 'fetch-status-039', 'fetch-status-012'),
  defineScenario(
    'status-429',
    '429, with Retry-After',
    { status: 429, headers: { 'retry-after': '3600' }, body: ALLOW },
    {
      rfc9309: byRfc('2.3.1.3', 'none', 'fetch-status-043'),
      google: byGoogle('status', 'all', 'fetch-status-016'),
    },
  ),
  unreachable(500, 'fetch-status-062', 'fetch-status-044'),
  unreachable(502, 'fetch-status-063', 'fetch-status-045'),
  unreachable(503, 'fetch-status-064', 'fetch-status-046'),
  {
    ...defineScenario('outage-ends', '503 twice with Retry-After, then a file', { body: FILE }, rules),
    phases: [
      { reply: { status: 503, headers: { 'retry-after': '1' }, body: ALLOW }, ...outage },
      { reply: { status: 503, headers: { 'retry-after': '1' }, body: ALLOW }, ...outage },
      { reply: { body: FILE }, ...rules },
    ],
  },
];

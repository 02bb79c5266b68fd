/**
 * Findings about responses: errors, failures, and redirects without a target.
 *
 * @module
 */

/** Kinds about responses. */
export const RESPONSE_KINDS = {
  'server-error': {
    severity: 'error',
    rank: 10,
    one: '1 URL responds with a server error',
    many: '# URLs respond with a server error',
    sentence: 'Responds with a server error.',
    cost: 'Crawlers come back less often, and URLs that keep failing are removed from the index.',
    action: 'Find the cause in the log of the server.',
    decision:
      'The last response of the URL had a status from 500 to 599, or 429, after three attempts for 429 and 503.',
    example: 'GET /cart → 503',
    source: 'errors',
    query: { detail: 'status', where: "reason = 'error' and is_server_failure" },
  },
  'no-response': {
    severity: 'error',
    rank: 20,
    one: '1 URL does not respond',
    many: '# URLs do not respond',
    sentence: 'Does not respond.',
    cost: 'Crawlers come back less often, and URLs that keep failing are removed from the index.',
    action: 'Check that the server responds in time, and to all clients.',
    decision:
      'The connection failed or ended, the response was invalid, or it took longer than --timeout. The detail is the code of the failure.',
    example: 'GET /report → timeout',
    source: 'errors',
    query: { detail: "json_extract(facts, '$.code')", where: "reason = 'unreachable'" },
  },
  'redirect-without-target': {
    severity: 'error',
    rank: 30,
    one: '1 redirect has no valid target',
    many: '# redirects have no valid target',
    sentence: 'Redirects without a valid target.',
    cost: 'Visitors and crawlers cannot follow it.',
    action: 'Send a Location header with an http or https URL.',
    decision:
      'The status is 300 to 399, and no redirect follows from it: Location is missing or is not an http or https URL.',
    example: '301 without Location',
    source: 'location',
    query: { detail: 'status', where: "reason = 'error' and status between 300 and 399" },
  },
  'broken-link': {
    severity: 'error',
    rank: 50,
    one: '1 URL that pages link to was not found',
    many: '# URLs that pages link to were not found',
    sentence: 'Was not found, but pages link to it.',
    cost: 'The link leads visitors and crawlers nowhere.',
    action: 'Correct the links, or redirect the URL to its replacement.',
    actionForOne: 'Correct the links, or redirect it to its replacement.',
    decision:
      'A page links to the URL, and its status is 404 or 410. Targets of redirects are not counted here.',
    example: '<a href="/old-page"> → 404',
    source: 'errors',
    query: { detail: 'status', where: "reason = 'not-found' and is_linked and depth > 0 and hops = 0" },
  },
  'access-denied': {
    severity: 'warning',
    rank: 20,
    one: '1 URL denies access',
    many: '# URLs deny access',
    sentence: 'Denies access.',
    cost: 'Crawlers cannot read them. Visitors who follow a link may not, either.',
    action: 'Allow access, or do not link to the URLs. If only crawlers are refused, check the firewall.',
    actionForOne: 'Allow access, or do not link to it. If only crawlers are refused, check the firewall.',
    decision: 'The status is 401 or 403, and links lead from a start to the URL.',
    example: 'GET /members → 403',
    source: 'errors',
    query: { detail: 'status', where: "reason = 'error' and status in (401, 403) and is_linked" },
  },
} as const;

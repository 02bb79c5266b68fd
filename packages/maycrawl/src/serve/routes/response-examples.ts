// Examples of responses in the OpenAPI document. All are about one site and one file.

export const ORIGIN = 'https://example.com';
export const FILE = 'User-agent: *\nDisallow: /private/\n';
/** The file in base64. */
const CONTENT = 'VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3ByaXZhdGUvCg==';

const FETCHED_AT = '2026-11-21T10:00:00.000Z';
const EXPIRES_AT = '2026-11-22T10:00:00.000Z';
const POLICY = { kind: 'rules' } as const;
const HOPS = [{ url: `${ORIGIN}/robots.txt`, status: 200 }] as const;

export const DECISION: Readonly<Record<string, unknown>> = {
  url: `${ORIGIN}/private/report`,
  agent: 'Googlebot',
  profile: 'google',
  allowed: false,
  line: 2,
  rule: '/private/',
  kind: 'disallow',
  group: 'global',
  reason: 'rule',
  policy: POLICY,
  fetchedAt: FETCHED_AT,
  expiresAt: EXPIRES_AT,
};

const EVENT = {
  id: '42',
  at: FETCHED_AT,
  kind: 'root-blocked',
  severity: 'error',
  title: 'Googlebot may no longer fetch /',
  throttled: false,
} as const;

const VERSION = {
  number: 2,
  kind: 'successful',
  hash: 'efc4db5408347a17597d7618522f084512d5d8d9ff46135129e293e4dee3355a',
  sameAs: null,
  condition: 'text',
  bytes: FILE.length,
  firstSeen: FETCHED_AT,
  lastSeen: EXPIRES_AT,
  checks: 24,
  status: 200,
  code: null,
  message: null,
  headers: null,
  hops: HOPS,
} as const;

const EVENT_WITH_DETAILS = { ...EVENT, origin: ORIGIN, version: 2, text: '', details: {} } as const;

const CHANGE = {
  agent: 'Googlebot',
  direction: 'blocked',
  example: '/',
  before: null,
  after: { line: 2, rule: 'disallow: /' },
} as const;

const PREFERENCE_CHANGES = {
  equivalent: true,
  sentences: [],
  changes: [],
  licenses: [],
  wording: { removed: [], added: [] },
} as const;

/** The file declares nothing about the use of the content. */
const UNDECLARED = {
  value: 'unknown',
  format: null,
  line: null,
  readings: { grouped: 'unknown', global: 'unknown' },
  statements: [],
} as const;

/** Examples of JSON responses, by operation. */
export const RESPONSES: Readonly<Record<string, object>> = {
  'GET /v1/decide': DECISION,
  'POST /v1/decide': { decisions: [DECISION] },
  'POST /v1/parse': {
    profile: 'google',
    bytes: FILE.length,
    truncated: false,
    groups: [
      {
        userAgents: [
          {
            kind: 'user-agent',
            field: 'User-agent',
            value: '*',
            text: '*',
            line: 1,
            column: 1,
            valueColumn: 13,
            productToken: '*',
            extendedToken: '*',
          },
        ],
        rules: [
          {
            kind: 'disallow',
            field: 'Disallow',
            value: '/private/',
            text: '/private/',
            line: 2,
            column: 1,
            valueColumn: 11,
          },
        ],
        others: [],
      },
    ],
    sitemaps: [],
    others: [],
    diagnostics: [],
  },
  'POST /v1/lint': { findings: [] },
  'POST /v1/diff': { equivalent: false, changes: [CHANGE], preferences: PREFERENCE_CHANGES },
  'GET /v1/robots': {
    origin: ORIGIN,
    url: `${ORIGIN}/robots.txt`,
    policy: POLICY,
    result: 'successful',
    status: 200,
    code: null,
    message: null,
    hops: HOPS,
    headers: null,
    timings: { total: 12.5 },
    fetchedAt: FETCHED_AT,
    expiresAt: EXPIRES_AT,
    outage: null,
    bytes: FILE.length,
    content: CONTENT,
    events: [],
  },
  'POST /v1/page': {
    url: `${ORIGIN}/`,
    profile: 'google',
    checkedAt: FETCHED_AT,
    agents: [
      {
        agent: 'Googlebot',
        answer: 'indexable',
        hop: 0,
        reasons: [],
        hidden: [],
        noindex: [],
        blockedResources: { script: 0, style: 0, image: 0 },
        text: 'Googlebot may fetch and index this page.',
      },
    ],
    hops: [
      {
        url: `${ORIGIN}/`,
        robotsTxt: `${ORIGIN}/robots.txt`,
        verdicts: [
          {
            agent: 'Googlebot',
            allowed: true,
            line: 0,
            rule: null,
            reason: 'no-rule-matched',
            message: null,
          },
        ],
        problem: null,
        failure: null,
        status: 200,
        type: 'text/html',
        location: null,
        bytes: 1_256,
        milliseconds: 66,
      },
    ],
    page: {
      url: `${ORIGIN}/`,
      title: 'Example',
      robots: [],
      canonical: { kind: 'absent', urls: [], statements: [] },
      alternates: [],
      use: [],
      refresh: null,
      refreshAfter: null,
      isTruncated: false,
    },
    resources: { total: 0, hosts: [] },
  },
  'POST /v1/preferences': {
    url: `${ORIGIN}/`,
    profile: 'google',
    policy: POLICY,
    reports: [
      {
        agent: 'GPTBot',
        url: `${ORIGIN}/`,
        crawl: 'allowed',
        purposes: { search: UNDECLARED, 'ai-train': UNDECLARED, 'ai-input': UNDECLARED },
        licenses: [],
        conflicts: [],
        problems: [],
        promises: [],
        unpromised: [],
      },
    ],
    isTruncated: false,
  },
  'POST /v1/sample': {
    origin: ORIGIN,
    sitemaps: [{ url: `${ORIGIN}/sitemap.xml`, entries: 1_000, problem: null }],
    others: 0,
    urls: [`${ORIGIN}/blog/first`],
  },
  'POST /v1/cache/invalidate': { invalidated: 1, outages: 0, busy: 0, next: null },
  'GET /v1/watch/sites': {
    total: 1,
    due: 0,
    waiting: 0,
    dropped: 0,
    failing: [],
    sites: [
      {
        origin: ORIGIN,
        policy: POLICY,
        result: 'successful',
        status: 200,
        message: null,
        version: 2,
        checks: 48,
        changedAt: FETCHED_AT,
        checkedAt: EXPIRES_AT,
        dueAt: '2026-11-22T11:00:00.000Z',
        event: EVENT,
      },
    ],
    next: null,
  },
  'GET /v1/watch/site': {
    origin: ORIGIN,
    policy: POLICY,
    version: 2,
    checks: 48,
    checkedAt: EXPIRES_AT,
    dueAt: '2026-11-22T11:00:00.000Z',
    throttledAt: null,
    outage: null,
    settings: {
      every: 3_600_000,
      confirm: 120_000,
      agents: ['Googlebot'],
      severity: {},
      urls: null,
      tests: null,
      notify: [],
    },
    versions: [VERSION],
    moreVersions: true,
    events: [EVENT_WITH_DETAILS],
    moreEvents: true,
    deliveries: [],
  },
  'POST /v1/watch/sites': { origin: ORIGIN },
  'POST /v1/watch/site': { origin: ORIGIN },
  'DELETE /v1/watch/site': { origin: ORIGIN },
  'GET /v1/watch/settings': {
    every: 3_600_000,
    confirm: 60_000,
    agents: ['Googlebot'],
    severity: {},
    urls: `${ORIGIN}/\n`,
    tests: null,
    notify: [{ index: 0, shown: 'https://hooks.example.net/…', from: 'warning' }],
  },
  'GET /v1/watch/events': { events: [EVENT_WITH_DETAILS] },
  'GET /v1/watch/versions': { versions: [VERSION] },
  'GET /v1/watch/version': { ...VERSION, content: CONTENT },
  'GET /v1/watch/compare': {
    equivalent: false,
    changes: [{ ...CHANGE, agent: '*' }, CHANGE],
    preferences: PREFERENCE_CHANGES,
  },
  'GET /v1/watch/urls': {
    total: 1,
    counted: 1,
    agents: ['Googlebot'],
    steps: [{ at: Date.parse(FETCHED_AT), version: 2, policy: POLICY, allowed: [1] }],
  },
  'POST /v1/watch/test': { target: 'https://hooks.example.net/…', delivered: true, reason: null },
  'GET /v1/audits/trend': {
    sites: [`${ORIGIN}/`],
    site: `${ORIGIN}/`,
    runs: [
      {
        name: 'example.com',
        hasReport: true,
        starts: [`${ORIGIN}/`],
        startedAt: FETCHED_AT,
        endedAt: '2026-11-21T10:00:12.500Z',
        state: 'complete',
        ending: 'Complete: no URLs are waiting.',
        agents: [
          {
            agent: 'Googlebot',
            judged: 2,
            indexable: 1,
            reasons: {
              blocked: 1,
              unreachable: 0,
              error: 0,
              redirect: 0,
              'not-found': 0,
              noindex: 0,
              canonicalised: 0,
            },
            findings: [
              {
                code: 'blocked-pages',
                severity: 'info',
                count: 1,
                title: '1 page is blocked by robots.txt',
              },
            ],
          },
        ],
        comparedWith: null,
        changes: [],
      },
    ],
  },
  'GET /v1/audits': {
    total: 1,
    page: 1,
    pages: 1,
    reports: [{ name: 'example.com.html', bytes: 250_000, writtenAt: FETCHED_AT }],
  },
};

/** An example of the stream of events. */
export const EVENT_STREAM: string = `id: ${EVENT.id}\nevent: event\ndata: ${JSON.stringify(EVENT)}\n\n`;

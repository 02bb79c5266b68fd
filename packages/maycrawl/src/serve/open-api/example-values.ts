// Values that several examples of the OpenAPI document have.
type Example = Readonly<Record<string, unknown>>;

export const ORIGIN = 'https://example.com';
export const FILE = 'User-agent: *\nDisallow: /private/\n';
/** The file in base64. */
export const CONTENT = 'VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3ByaXZhdGUvCg==';

export const FETCHED_AT = '2026-11-21T10:00:00.000Z';
export const EXPIRES_AT = '2026-11-22T10:00:00.000Z';
export const POLICY: Example = { kind: 'rules' };
export const HOPS: readonly object[] = [{ url: `${ORIGIN}/robots.txt`, status: 200 }];

export const DECISION: Example = {
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

export const EVENT: Example = {
  id: '42',
  at: FETCHED_AT,
  kind: 'root-blocked',
  severity: 'error',
  title: 'Googlebot may no longer fetch /',
  throttled: false,
};

export const VERSION: Example = {
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
};

export const EVENT_WITH_DETAILS: Example = { ...EVENT, origin: ORIGIN, version: 2, text: '', details: {} };

export const CHANGE: Example = {
  agent: 'Googlebot',
  direction: 'blocked',
  example: '/',
  before: null,
  after: { line: 2, rule: 'disallow: /' },
};

export const PREFERENCE_CHANGES: Example = {
  equivalent: true,
  sentences: [],
  changes: [],
  licenses: [],
  wording: { removed: [], added: [] },
};

/** The file declares nothing about the use of the content. */
export const UNDECLARED: Example = {
  value: 'unknown',
  format: null,
  line: null,
  readings: { grouped: 'unknown', global: 'unknown' },
  statements: [],
};

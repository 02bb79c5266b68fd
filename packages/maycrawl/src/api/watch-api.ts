/**
 * The JSON of `/v1/watch/…`: the only description of it. The service validates requests against it and documents its responses with
 * it, the monitor pages take their types from it. Times are texts as in RFC 3339. Texts may quote what servers sent.
 *
 * @module
 */
import type { JsonOf } from './json-schema.ts';

/** The definitions, which refer to each other by `#/$defs/NAME`. */
export const WATCH_API = {
  Severity: { type: 'string', enum: ['info', 'warning', 'error'] },
  Result: { type: 'string', enum: ['successful', 'unavailable', 'unreachable'] },
  Policy: {
    anyOf: [
      {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', enum: ['rules', 'unknown'] } },
      },
      {
        type: 'object',
        required: ['kind', 'reason'],
        properties: {
          kind: { type: 'string', enum: ['allow-all'] },
          reason: { type: 'string', enum: ['unavailable', 'outage-expired'] },
        },
      },
      {
        type: 'object',
        required: ['kind', 'reason'],
        properties: {
          kind: { type: 'string', enum: ['disallow-all'] },
          reason: { type: 'string', enum: ['unreachable'] },
        },
      },
    ],
  },
  Time: { type: 'string', format: 'date-time' },
  TimeOrNull: { type: ['string', 'null'], format: 'date-time' },

  Event: {
    type: 'object',
    required: ['id', 'at', 'origin', 'version', 'kind', 'severity', 'title', 'text', 'details', 'throttled'],
    properties: {
      id: { type: 'string' },
      at: { $ref: '#/$defs/Time' },
      origin: { type: 'string' },
      version: { type: 'integer' },
      kind: { type: 'string', description: 'The aspect that the title is about.' },
      severity: { $ref: '#/$defs/Severity' },
      title: { type: 'string' },
      text: { type: 'string', description: 'Further sentences, one a line.' },
      details: { type: 'object', description: 'The same as data (docs/watch-messages.md).' },
      throttled: {
        type: 'boolean',
        description: 'No notification was sent, because the site changes all the time.',
      },
    },
  },
  EventSummary: {
    type: 'object',
    required: ['id', 'at', 'kind', 'severity', 'title', 'throttled'],
    properties: {
      id: { type: 'string' },
      at: { $ref: '#/$defs/Time' },
      kind: { type: 'string' },
      severity: { $ref: '#/$defs/Severity' },
      title: { type: 'string' },
      throttled: { type: 'boolean' },
    },
  },
  Events: {
    type: 'object',
    required: ['events'],
    properties: { events: { type: 'array', items: { $ref: '#/$defs/Event' } } },
  },

  ListedSite: {
    type: 'object',
    required: [
      'origin',
      'policy',
      'result',
      'status',
      'message',
      'version',
      'checks',
      'changedAt',
      'checkedAt',
      'dueAt',
      'event',
    ],
    properties: {
      origin: { type: 'string' },
      policy: { $ref: '#/$defs/Policy' },
      result: { anyOf: [{ $ref: '#/$defs/Result' }, { type: 'null' }] },
      status: { type: ['integer', 'null'] },
      message: { type: ['string', 'null'] },
      version: { type: 'integer', description: 'The current version; 0 before the first check.' },
      checks: { type: 'integer' },
      changedAt: { $ref: '#/$defs/TimeOrNull' },
      checkedAt: { $ref: '#/$defs/TimeOrNull' },
      dueAt: { $ref: '#/$defs/Time' },
      event: { anyOf: [{ $ref: '#/$defs/EventSummary' }, { type: 'null' }] },
    },
  },
  Sites: {
    type: 'object',
    required: ['total', 'due', 'waiting', 'dropped', 'sites', 'next'],
    properties: {
      total: { type: 'integer', description: 'All sites that are watched.' },
      due: { type: 'integer', description: 'Sites whose check is due.' },
      waiting: { type: 'integer', description: 'Notifications that are not delivered yet.' },
      dropped: { type: 'integer', description: 'Notifications that were given up.' },
      sites: { type: 'array', items: { $ref: '#/$defs/ListedSite' } },
      next: { type: ['string', 'null'], description: '`after` of the next page.' },
    },
  },

  Hop: {
    type: 'object',
    required: ['url', 'status'],
    properties: {
      url: { type: 'string' },
      status: { type: ['integer', 'null'] },
      location: { type: 'string', description: 'The Location header, as it was sent.' },
    },
  },
  Headers: {
    type: 'object',
    required: ['cacheControl', 'expires', 'date', 'age', 'etag', 'lastModified', 'retryAfter'],
    properties: {
      cacheControl: { type: ['string', 'null'] },
      expires: { type: ['string', 'null'] },
      date: { type: ['string', 'null'] },
      age: { type: ['string', 'null'] },
      etag: { type: ['string', 'null'] },
      lastModified: { type: ['string', 'null'] },
      retryAfter: { type: ['string', 'null'] },
    },
  },
  Version: {
    type: 'object',
    required: [
      'number',
      'kind',
      'hash',
      'bytes',
      'firstSeen',
      'lastSeen',
      'checks',
      'status',
      'code',
      'message',
      'headers',
      'hops',
    ],
    properties: {
      number: { type: 'integer', description: 'From 1, for each site.' },
      kind: { $ref: '#/$defs/Result' },
      hash: { type: ['string', 'null'], description: 'SHA-256 of the file, in hexadecimal.' },
      bytes: { type: ['integer', 'null'] },
      firstSeen: { $ref: '#/$defs/Time' },
      lastSeen: { $ref: '#/$defs/Time' },
      checks: { type: 'integer' },
      status: { type: ['integer', 'null'] },
      code: { type: ['string', 'null'] },
      message: { type: ['string', 'null'] },
      headers: { anyOf: [{ $ref: '#/$defs/Headers' }, { type: 'null' }] },
      hops: { type: 'array', items: { $ref: '#/$defs/Hop' } },
    },
  },
  Versions: {
    type: 'object',
    required: ['versions'],
    properties: { versions: { type: 'array', items: { $ref: '#/$defs/Version' } } },
  },
  VersionFile: {
    allOf: [
      { $ref: '#/$defs/Version' },
      {
        type: 'object',
        required: ['content'],
        properties: {
          content: { type: ['string', 'null'], description: 'The file, in base64; null if there is none.' },
        },
      },
    ],
  },

  DecidingRule: {
    type: 'object',
    required: ['line', 'rule'],
    properties: { line: { type: 'integer' }, rule: { type: 'string' } },
  },
  Change: {
    type: 'object',
    required: ['agent', 'direction', 'example', 'before', 'after'],
    properties: {
      agent: { type: 'string', description: 'A crawler; * stands for any other one.' },
      direction: { type: 'string', enum: ['blocked', 'allowed'] },
      example: { type: 'string', description: 'A shortest path whose verdict changes.' },
      before: { anyOf: [{ $ref: '#/$defs/DecidingRule' }, { type: 'null' }] },
      after: { anyOf: [{ $ref: '#/$defs/DecidingRule' }, { type: 'null' }] },
    },
  },
  Comparison: {
    type: 'object',
    required: ['equivalent', 'changes'],
    properties: {
      equivalent: { type: ['boolean', 'null'], description: 'Null: not decided.' },
      changes: { type: 'array', items: { $ref: '#/$defs/Change' } },
      undecided: {
        type: 'array',
        items: { type: 'string' },
        description: 'Crawlers that may have further changes.',
      },
      totals: {
        type: 'object',
        required: ['changes'],
        properties: { changes: { type: 'integer' } },
        description: 'The number of all changes, if the list is cut.',
      },
    },
  },

  UrlStep: {
    type: 'object',
    required: ['at', 'version', 'policy', 'allowed'],
    properties: {
      at: { type: 'integer', description: 'Milliseconds since 1970.' },
      version: { type: 'integer' },
      policy: { $ref: '#/$defs/Policy' },
      allowed: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Allowed URLs, in the order of the agents.',
      },
    },
  },
  UrlCounts: {
    type: 'object',
    required: ['total', 'counted', 'agents', 'steps'],
    properties: {
      total: { type: 'integer', description: 'URLs of the list that belong to the site.' },
      counted: { type: 'integer' },
      agents: { type: 'array', items: { type: 'string' } },
      steps: { type: 'array', items: { $ref: '#/$defs/UrlStep' } },
    },
  },

  Severities: {
    type: 'object',
    additionalProperties: false,
    description: 'Severities of aspects that differ from the default.',
    properties: {
      first: { $ref: '#/$defs/Severity' },
      formatting: { $ref: '#/$defs/Severity' },
      records: { $ref: '#/$defs/Severity' },
      others: { $ref: '#/$defs/Severity' },
      allowed: { $ref: '#/$defs/Severity' },
      blocked: { $ref: '#/$defs/Severity' },
      'root-blocked': { $ref: '#/$defs/Severity' },
      'urls-allowed': { $ref: '#/$defs/Severity' },
      'urls-blocked': { $ref: '#/$defs/Severity' },
      'tests-broken': { $ref: '#/$defs/Severity' },
      'tests-fixed': { $ref: '#/$defs/Severity' },
      undecided: { $ref: '#/$defs/Severity' },
      appeared: { $ref: '#/$defs/Severity' },
      disappeared: { $ref: '#/$defs/Severity' },
      unreachable: { $ref: '#/$defs/Severity' },
      'outage-continues': { $ref: '#/$defs/Severity' },
      recovered: { $ref: '#/$defs/Severity' },
      'no-text': { $ref: '#/$defs/Severity' },
      'set-aside': { $ref: '#/$defs/Severity' },
    },
  },
  ShownSettings: {
    type: 'object',
    required: ['every', 'agents', 'severity', 'urls', 'tests', 'notify'],
    properties: {
      every: { type: 'integer', description: 'Milliseconds from one check to the next.' },
      agents: { type: 'array', items: { type: 'string' } },
      severity: { $ref: '#/$defs/Severities' },
      urls: { type: ['string', 'null'], description: 'The name of the list.' },
      tests: { type: ['string', 'null'], description: 'The name of the file.' },
      notify: { type: 'array', items: { type: 'string' }, description: 'Targets, without their secrets.' },
    },
  },
  StoredTarget: {
    type: 'object',
    additionalProperties: false,
    required: ['index', 'shown'],
    properties: { index: { type: 'integer', minimum: 0 }, shown: { type: 'string' } },
    description: 'A target that is unchanged: its index in the list, and how it was shown.',
  },
  EditableSettings: {
    type: 'object',
    required: ['every', 'agents', 'severity', 'urls', 'tests', 'notify'],
    properties: {
      every: { type: 'integer' },
      agents: { type: 'array', items: { type: 'string' } },
      severity: { $ref: '#/$defs/Severities' },
      urls: { type: ['string', 'null'], description: 'The list itself.' },
      tests: { type: ['string', 'null'], description: 'The file itself.' },
      notify: { type: 'array', items: { $ref: '#/$defs/StoredTarget' } },
    },
  },
  /** The body of a request. */
  SettingsChange: {
    type: 'object',
    additionalProperties: false,
    required: ['every', 'agents', 'notify', 'severity'],
    properties: {
      every: { type: 'integer', minimum: 60_000, maximum: 31_536_000_000, description: 'Milliseconds.' },
      agents: { type: 'array', maxItems: 60, items: { type: 'string', minLength: 1, maxLength: 1_000 } },
      urls: {
        anyOf: [
          {
            type: 'string',
            maxLength: 8_000_000,
            description:
              'URLs whose verdicts matter, one a line. Null removes the list; by default it stays.',
          },
          { type: 'null' },
        ],
      },
      tests: {
        anyOf: [
          { type: 'string', maxLength: 256_000, description: 'Expectations, in YAML.' },
          { type: 'null' },
        ],
      },
      notify: {
        type: 'array',
        maxItems: 20,
        items: {
          anyOf: [
            { type: 'string', maxLength: 2_000, description: 'A target: https:, slack:, mailto: or log.' },
            { $ref: '#/$defs/StoredTarget' },
          ],
        },
      },
      severity: { $ref: '#/$defs/Severities' },
    },
  },
  /** The body of a request. */
  NewSite: {
    allOf: [
      {
        type: 'object',
        additionalProperties: false,
        required: ['origin'],
        properties: {
          origin: {
            type: 'string',
            maxLength: 2_000,
            description: 'An origin such as https://example.com, or any URL of it.',
          },
        },
      },
      { $ref: '#/$defs/SettingsChange' },
    ],
  },
  /** The response to every change of a site. */
  ChangedSite: { type: 'object', required: ['origin'], properties: { origin: { type: 'string' } } },
  /** The body of a request. */
  TestNotification: {
    type: 'object',
    additionalProperties: false,
    required: ['target'],
    properties: { target: { type: 'string', minLength: 1, maxLength: 2_000 } },
  },
  TestResult: {
    type: 'object',
    required: ['target', 'delivered', 'reason'],
    properties: {
      target: { type: 'string' },
      delivered: { type: 'boolean' },
      reason: { type: ['string', 'null'] },
    },
  },

  Outage: {
    type: 'object',
    required: ['since', 'lastAt', 'failures', 'message', 'retryAt', 'nextPhaseAt'],
    properties: {
      since: { $ref: '#/$defs/TimeOrNull' },
      lastAt: { $ref: '#/$defs/TimeOrNull' },
      failures: { type: 'integer' },
      message: { type: 'string' },
      retryAt: { $ref: '#/$defs/TimeOrNull' },
      nextPhaseAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When the outage policy changes the policy, if the outage continues.',
      },
    },
  },
  Delivery: {
    type: 'object',
    required: ['event', 'title', 'attempts', 'error', 'target', 'state', 'nextAt', 'droppedAt'],
    properties: {
      event: { type: 'string' },
      title: { type: 'string' },
      attempts: { type: 'integer' },
      error: { type: ['string', 'null'] },
      target: { type: 'string', description: 'Without its secrets.' },
      state: { type: 'string', enum: ['waiting', 'dropped'] },
      nextAt: { $ref: '#/$defs/TimeOrNull' },
      droppedAt: { $ref: '#/$defs/TimeOrNull' },
    },
  },
  Site: {
    type: 'object',
    required: [
      'origin',
      'policy',
      'version',
      'checks',
      'checkedAt',
      'dueAt',
      'throttledAt',
      'outage',
      'settings',
      'versions',
      'moreVersions',
      'events',
      'moreEvents',
      'deliveries',
    ],
    properties: {
      origin: { type: 'string' },
      policy: { $ref: '#/$defs/Policy' },
      version: { type: 'integer', description: 'The current version; 0 before the first check.' },
      checks: { type: 'integer' },
      checkedAt: { $ref: '#/$defs/TimeOrNull' },
      dueAt: { $ref: '#/$defs/Time' },
      throttledAt: {
        type: ['string', 'null'],
        format: 'date-time',
        description:
          'The last change for which no notification was sent, because the site changes all the time.',
      },
      outage: { anyOf: [{ $ref: '#/$defs/Outage' }, { type: 'null' }] },
      settings: { $ref: '#/$defs/ShownSettings' },
      versions: { type: 'array', items: { $ref: '#/$defs/Version' } },
      moreVersions: { type: 'boolean' },
      events: { type: 'array', items: { $ref: '#/$defs/Event' } },
      moreEvents: { type: 'boolean' },
      deliveries: { type: 'array', items: { $ref: '#/$defs/Delivery' } },
    },
  },

  /** Data of the server-sent events of `/v1/watch/live`. */
  LiveEvent: {
    type: 'object',
    required: ['id', 'origin', 'at', 'kind', 'severity'],
    properties: {
      id: { type: 'string' },
      origin: { type: 'string' },
      at: { $ref: '#/$defs/Time' },
      kind: { type: 'string' },
      severity: { $ref: '#/$defs/Severity' },
    },
  },
  LiveChecks: {
    type: 'object',
    required: ['origins'],
    properties: { origins: { type: 'array', items: { type: 'string' } } },
  },
} as const;

/** The type of a definition. */
export type WatchJson<Name extends keyof typeof WATCH_API> = JsonOf<
  (typeof WATCH_API)[Name],
  typeof WATCH_API
>;

/** What a change is about, each with a severity of its own. */
export type Aspect = keyof WatchJson<'Severities'>;

/** The definition of the response of each route, by method and path below `/v1/watch/`. */
export const WATCH_RESPONSES = {
  'GET sites': 'Sites',
  'GET site': 'Site',
  'GET settings': 'EditableSettings',
  'GET events': 'Events',
  'GET versions': 'Versions',
  'GET version': 'VersionFile',
  'GET compare': 'Comparison',
  'GET urls': 'UrlCounts',
  'POST sites': 'ChangedSite',
  'POST site': 'ChangedSite',
  'DELETE site': 'ChangedSite',
  'POST test': 'TestResult',
} as const;

/** A method and a path. */
export type WatchRoute = keyof typeof WATCH_RESPONSES;

/** The JSON of a response with status 200. */
export type WatchResponse<Route extends WatchRoute> = WatchJson<(typeof WATCH_RESPONSES)[Route]>;

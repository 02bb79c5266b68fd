// Monitored sites: the list, and the state of one.

/** The definitions. They refer to those of all files by `#/$defs/NAME`. */
export const SITES = {
  ListedSite: {
    type: 'object',
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
    optional: ['failing'],
    properties: {
      total: { type: 'integer', description: 'All sites that are watched.' },
      due: { type: 'integer', description: 'Sites whose check is due.' },
      waiting: { type: 'integer', description: 'Notifications that are not delivered yet.' },
      dropped: { type: 'integer', description: 'Notifications that were given up.' },
      failing: {
        type: 'array',
        items: { $ref: '#/$defs/FailingTarget' },
        description: 'Targets without a delivery since their last failure; omitted on further pages.',
      },
      sites: { type: 'array', items: { $ref: '#/$defs/ListedSite' } },
      next: { type: ['string', 'null'], description: '`after` of the next page.' },
    },
  },
  FailingTarget: {
    type: 'object',
    properties: {
      target: { type: 'string', description: 'Without its secrets.' },
      since: { $ref: '#/$defs/TimeOrNull' },
      alerts: { type: 'integer', description: 'Alerts that were not delivered.' },
      reason: { type: 'string', description: 'Why the last attempt failed.' },
    },
  },
  Delivery: {
    type: 'object',
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
} as const;

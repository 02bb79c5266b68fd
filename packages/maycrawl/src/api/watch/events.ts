// Events of the monitor, also those of the stream `/v1/watch/live`.

/** The definitions. They refer to those of all files by `#/$defs/NAME`. */
export const EVENTS = {
  Event: {
    type: 'object',
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
    properties: { events: { type: 'array', items: { $ref: '#/$defs/Event' } } },
  },
  /** Data of the server-sent events of `/v1/watch/live`. */
  LiveEvent: {
    type: 'object',
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
    properties: { origins: { type: 'array', items: { type: 'string' } } },
  },
} as const;

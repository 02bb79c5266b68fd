// Versions of a site, their comparison, and the number of allowed URLs over time.

/** The definitions. They refer to those of all files by `#/$defs/NAME`. */
export const VERSIONS = {
  Version: {
    type: 'object',
    optional: ['sameAs', 'condition'],
    properties: {
      number: { type: 'integer', description: 'From 1, for each site.' },
      kind: { $ref: '#/$defs/Result' },
      hash: { type: ['string', 'null'], description: 'SHA-256 of the file, in hexadecimal.' },
      sameAs: {
        type: ['integer', 'null'],
        description: 'The first version with the same file; null if that is this one, or there is no file.',
      },
      condition: {
        type: 'string',
        enum: ['text', 'html', 'utf-16', 'empty'],
        description:
          'Whether crawlers can read the file; omitted without a file, and for versions of earlier releases.',
      },
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
    properties: { versions: { type: 'array', items: { $ref: '#/$defs/Version' } } },
  },
  VersionFile: {
    allOf: [
      { $ref: '#/$defs/Version' },
      {
        type: 'object',
        properties: {
          content: { type: ['string', 'null'], description: 'The file, in base64; null if there is none.' },
        },
      },
    ],
  },
  DecidingRule: {
    type: 'object',
    properties: { line: { type: 'integer' }, rule: { type: 'string' } },
  },
  Change: {
    type: 'object',
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
    optional: ['undecided', 'totals'],
    properties: {
      equivalent: { type: ['boolean', 'null'], description: 'Null: not decided.' },
      changes: { type: 'array', items: { $ref: '#/$defs/Change' } },
      undecided: {
        type: 'array',
        items: { type: 'string' },
        description: 'Crawlers that may have further changes.',
      },
      preferences: { $ref: '#/$defs/DeclarationComparison' },
      totals: {
        type: 'object',
        properties: { changes: { type: 'integer' } },
        description: 'The number of all changes, if the list is cut.',
      },
    },
  },
  DeclaredValue: {
    type: 'object',
    optional: ['format', 'label', 'line', 'field', 'text'],
    properties: {
      value: { type: 'string', enum: ['allowed', 'disallowed', 'unknown', 'not-applicable'] },
      format: { type: 'string', description: 'The format of the deciding statement, such as content-usage.' },
      label: { type: 'string', description: 'The label, or the policy token.' },
      line: { type: ['integer', 'null'] },
      field: { type: ['string', 'null'] },
      text: { type: 'string' },
    },
  },
  DeclarationChange: {
    type: 'object',
    properties: {
      purpose: { type: 'string', description: 'Such as ai-train or search.' },
      agents: {
        type: 'array',
        items: { type: 'string' },
        description: 'Crawlers; * stands for any other one.',
      },
      example: { type: 'string', description: 'A shortest path for which the value changes.' },
      before: { $ref: '#/$defs/DeclaredValue' },
      after: { $ref: '#/$defs/DeclaredValue' },
    },
  },
  LicenseLine: {
    type: 'object',
    properties: { url: { type: 'string' }, line: { type: ['integer', 'null'] } },
  },
  LicenseChange: {
    type: 'object',
    properties: {
      agents: { type: 'array', items: { type: 'string' } },
      before: { type: 'array', items: { $ref: '#/$defs/LicenseLine' } },
      after: { type: 'array', items: { $ref: '#/$defs/LicenseLine' } },
    },
  },
  DeclarationLine: {
    type: 'object',
    properties: { line: { type: 'integer' }, text: { type: 'string' } },
  },
  DeclarationComparison: {
    type: 'object',
    optional: ['undecided', 'totals'],
    description: 'The changes of declarations about the use of content.',
    properties: {
      equivalent: { type: ['boolean', 'null'], description: 'Null: not decided.' },
      sentences: { type: 'array', items: { type: 'string' }, description: 'The changes in words.' },
      changes: { type: 'array', items: { $ref: '#/$defs/DeclarationChange' } },
      licenses: { type: 'array', items: { $ref: '#/$defs/LicenseChange' } },
      undecided: { type: 'array', items: { type: 'string' } },
      wording: {
        type: 'object',
        description: 'Lines that only one of the files has. They may have no effect.',
        properties: {
          removed: { type: 'array', items: { $ref: '#/$defs/DeclarationLine' } },
          added: { type: 'array', items: { $ref: '#/$defs/DeclarationLine' } },
        },
      },
      totals: {
        type: 'object',
        properties: { changes: { type: 'integer' }, licenses: { type: 'integer' } },
      },
    },
  },
  UrlStep: {
    type: 'object',
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
    properties: {
      total: { type: 'integer', description: 'URLs of the list that belong to the site.' },
      counted: { type: 'integer' },
      agents: { type: 'array', items: { type: 'string' } },
      steps: { type: 'array', items: { $ref: '#/$defs/UrlStep' } },
    },
  },
} as const;

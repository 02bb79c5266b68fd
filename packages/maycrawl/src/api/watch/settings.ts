// Settings of monitored sites, and the bodies of requests that change them.
import { ASPECTS, type Aspect } from './aspects.ts';

type SeverityOfEach = { readonly [Name in Aspect]: { readonly $ref: '#/$defs/Severity' } };

const SEVERITY_OF_EACH = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.keys(ASPECTS).map((name) => [name, { $ref: '#/$defs/Severity' }]),
);

/** The definitions. They refer to those of all files by `#/$defs/NAME`. */
export const SETTINGS = {
  Severities: {
    type: 'object',
    additionalProperties: false,
    description: 'Severities of aspects that differ from the default.',
    optional: 'all',
    properties: SEVERITY_OF_EACH as SeverityOfEach,
  },
  ShownSettings: {
    type: 'object',
    properties: {
      every: { type: 'integer', description: 'Milliseconds from one check to the next.' },
      confirm: { type: 'integer', description: 'Milliseconds from a failure to the check that confirms it.' },
      agents: { type: 'array', items: { type: 'string' } },
      severity: { $ref: '#/$defs/Severities' },
      urls: { type: ['string', 'null'], description: 'The name of the list.' },
      tests: { type: ['string', 'null'], description: 'The name of the file.' },
      notify: {
        type: 'array',
        items: { $ref: '#/$defs/ShownTarget' },
        description: 'Targets, without their secrets.',
      },
    },
  },
  ShownTarget: {
    type: 'object',
    properties: { shown: { type: 'string' }, from: { $ref: '#/$defs/Severity' } },
    description: 'A target, and the least severity of events that it receives.',
  },
  StoredTarget: {
    type: 'object',
    additionalProperties: false,
    properties: {
      index: { type: 'integer', minimum: 0 },
      shown: { type: 'string' },
      from: { $ref: '#/$defs/Severity' },
    },
    description:
      'A target that stays: its index in the list, how it was shown, and the least severity of events that it receives.',
  },
  NewTarget: {
    type: 'object',
    additionalProperties: false,
    properties: {
      target: { type: 'string', maxLength: 2_000, description: 'A target: https:, slack:, mailto: or log.' },
      from: { $ref: '#/$defs/Severity' },
    },
    description: 'A new target, and the least severity of events that it receives.',
  },
  EditableSettings: {
    type: 'object',
    properties: {
      every: { type: 'integer' },
      confirm: { type: 'integer' },
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
    optional: ['confirm', 'urls', 'tests'],
    properties: {
      every: { type: 'integer', minimum: 60_000, maximum: 31_536_000_000, description: 'Milliseconds.' },
      confirm: {
        type: 'integer',
        minimum: 0,
        maximum: 3_600_000,
        description:
          'Milliseconds from a failure to the check that confirms it; 0 reports it immediately. By default it stays.',
      },
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
            { type: 'string', maxLength: 2_000, description: 'A new target that receives all events.' },
            { $ref: '#/$defs/NewTarget' },
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
  ChangedSite: { type: 'object', properties: { origin: { type: 'string' } } },
  /** The body of a request. */
  TestNotification: {
    type: 'object',
    additionalProperties: false,
    properties: { target: { type: 'string', minLength: 1, maxLength: 2_000 } },
  },
  TestResult: {
    type: 'object',
    properties: {
      target: { type: 'string' },
      delivered: { type: 'boolean' },
      reason: { type: ['string', 'null'] },
    },
  },
} as const;

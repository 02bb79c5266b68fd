// The options of the commands about the identity of a crawler. The module loads no package, because the command loads it at every start.
import { JSON_OUTPUT, USER_AGENT } from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

const TIMEOUT = {
  type: 'duration',
  placeholder: '<time>',
  range: ['1ms', '1h'],
  description: 'maximum time for a connection, and for a response',
  default: '30s',
} as const;

const SIGNED_FOR = {
  type: 'duration',
  placeholder: '<time>',
  range: ['1h', '3650d'],
  description: 'how long the signatures of the directory are valid',
  default: '90d',
} as const;

/** Options of `maycrawl identity init`. */
export const IDENTITY_INIT_OPTIONS = {
  agent: {
    type: 'text',
    placeholder: '<url>',
    description: 'origin that serves the directory, such as https://bot.example',
    isRequired: true,
  },
  name: {
    type: 'text',
    placeholder: '<token>',
    description: 'product token of the crawler in robots.txt',
    isRequired: true,
  },
  userAgent: {
    type: 'text',
    placeholder: '<text>',
    description: 'User-Agent header of the crawler, for the card; * at its end stands for anything',
  },
  contact: {
    type: 'text',
    placeholder: '<uri>',
    description: 'contact for the card, such as mailto:bot@bot.example',
    isList: true,
  },
  page: { type: 'text', placeholder: '<url>', description: 'page about the crawler, for the card' },
  purpose: {
    type: 'text',
    placeholder: '<text>',
    description: 'purpose of the crawler, for the card, such as search',
  },
  trigger: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['crawler', 'fetcher'],
    description: 'who causes requests: the crawler, or its users (fetcher)',
    default: 'crawler',
  },
  ips: {
    type: 'text',
    placeholder: '<url>',
    description: 'list of the addresses of the crawler, for the card',
  },
  signedFor: SIGNED_FOR as typeof SIGNED_FOR,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type IdentityInitOptions = OptionValues<typeof IDENTITY_INIT_OPTIONS>;

/** Options of `maycrawl identity rotate`. */
export const IDENTITY_ROTATE_OPTIONS = {
  lead: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '365d'],
    description: 'time until the new key signs: until then verifiers must have it',
    default: '48h',
  },
  overlap: {
    type: 'duration',
    placeholder: '<time>',
    range: ['0s', '365d'],
    description: 'time for which the other keys stay valid after that',
    default: '24h',
  },
  signedFor: SIGNED_FOR as typeof SIGNED_FOR,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type IdentityRotateOptions = OptionValues<typeof IDENTITY_ROTATE_OPTIONS>;

/** Options of `maycrawl identity publish`. */
export const IDENTITY_PUBLISH_OPTIONS = {
  signedFor: SIGNED_FOR as typeof SIGNED_FOR,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type IdentityPublishOptions = OptionValues<typeof IDENTITY_PUBLISH_OPTIONS>;

/** Options of `maycrawl identity check`. */
export const CHECK_IDENTITY_OPTIONS = {
  card: {
    type: 'text',
    placeholder: '<url>',
    description: 'the card (default: /signature-agent-card.json of the agent)',
  },
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  allowPrivate: {
    type: 'flag',
    description: 'allow connections to private addresses for the card, not only to the agent you name',
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type CheckIdentityCommandOptions = OptionValues<typeof CHECK_IDENTITY_OPTIONS>;

/** Options of `maycrawl identity record`. */
export const CARD_RECORD_OPTIONS = {
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  allowPrivate: { type: 'flag', description: 'allow connections to private addresses' },
} as const;
export type CardRecordOptions = OptionValues<typeof CARD_RECORD_OPTIONS>;

// The commands about the identity of a crawler, with their options. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { JSON_OUTPUT, USER_AGENT } from '../../options/fetch-options.ts';
import { choice, duration, flag, list, text } from '../../options/option.ts';
import type { CheckIdentityCommandOptions } from './check.ts';
import type { CardRecordOptions } from './record.ts';
import type { IdentityInitOptions, IdentityPublishOptions, IdentityRotateOptions } from './write.ts';

const FOLDER: readonly [string, string] = ['<folder>', 'folder of the identity'];

const TIMEOUT = duration('<time>', ['1ms', '1h'], 'maximum time for a connection, and for a response', {
  default: '30s',
});

const SIGNED_FOR = duration('<time>', ['1h', '3650d'], 'how long the signatures of the directory are valid', {
  default: '90d',
});

export const IDENTITY_COMMANDS: readonly AnyCommand[] = [
  defineCommand<IdentityInitOptions>({
    name: 'identity init',
    description:
      'create the identity of a crawler: a private key, the directory with its public key, and a card',
    arguments: [FOLDER],
    options: {
      agent: text('<url>', 'origin that serves the directory, such as https://bot.example', {
        isRequired: true,
      }),
      name: text('<token>', 'product token of the crawler in robots.txt', { isRequired: true }),
      userAgent: text(
        '<text>',
        'User-Agent header of the crawler, for the card; * at its end stands for anything',
      ),
      contact: list(text('<uri>', 'contact for the card, such as mailto:bot@bot.example')),
      page: text('<url>', 'page about the crawler, for the card'),
      purpose: text('<text>', 'purpose of the crawler, for the card, such as search'),
      trigger: choice(
        '<name>',
        ['crawler', 'fetcher'],
        'who causes requests: the crawler, or its users (fetcher)',
        {
          default: 'crawler',
        },
      ),
      ips: text('<url>', 'list of the addresses of the crawler, for the card'),
      signedFor: SIGNED_FOR,
      json: JSON_OUTPUT,
    },
    run: async (options, args) => (await import('./write.ts')).initIdentity(args, options),
  }),
  defineCommand<IdentityRotateOptions>({
    name: 'identity rotate',
    description:
      'add a key to an identity, and let the other ones expire; crawlers that run change to it without a restart',
    arguments: [FOLDER],
    options: {
      lead: duration(
        '<time>',
        ['0s', '365d'],
        'time until the new key signs: until then verifiers must have it',
        { default: '48h' },
      ),
      overlap: duration('<time>', ['0s', '365d'], 'time for which the other keys stay valid after that', {
        default: '24h',
      }),
      signedFor: SIGNED_FOR,
      json: JSON_OUTPUT,
    },
    run: async (options, args) => (await import('./write.ts')).rotateIdentityKeys(args, options),
  }),
  defineCommand<IdentityPublishOptions>({
    name: 'identity publish',
    description: 'write the directory of an identity again: without expired keys, with new signatures',
    arguments: [FOLDER],
    options: { signedFor: SIGNED_FOR, json: JSON_OUTPUT },
    run: async (options, args) => (await import('./write.ts')).publishIdentityFiles(args, options),
  }),
  defineCommand<CheckIdentityCommandOptions>({
    name: 'identity check',
    description:
      'find what is wrong with a deployed identity; exit 0: no finding above info, 1: warnings or errors, 2: no response',
    arguments: [['<url>', 'origin of the agent, such as https://bot.example']],
    options: {
      card: text('<url>', 'the card (default: /signature-agent-card.json of the agent)'),
      userAgent: USER_AGENT,
      timeout: TIMEOUT,
      allowPrivate: flag(
        'allow connections to private addresses for the card, not only to the agent you name',
      ),
      json: JSON_OUTPUT,
    },
    run: async (options, args) => (await import('./check.ts')).checkIdentityCommand(args, options),
  }),
  defineCommand<CardRecordOptions>({
    name: 'identity record',
    description:
      'print the card of a crawler as records for --crawlers FILE, so that its requests can be verified; exit 2: it cannot be read',
    arguments: [['<url>', 'the card, such as https://bot.example/signature-agent-card.json']],
    options: {
      userAgent: USER_AGENT,
      timeout: TIMEOUT,
      allowPrivate: flag('allow connections to private addresses'),
    },
    run: async (options, args) => (await import('./record.ts')).printCardRecord(args, options),
  }),
];

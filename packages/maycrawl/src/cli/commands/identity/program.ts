// The commands about the identity of a crawler. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import {
  CARD_RECORD_OPTIONS,
  CHECK_IDENTITY_OPTIONS,
  IDENTITY_INIT_OPTIONS,
  IDENTITY_PUBLISH_OPTIONS,
  IDENTITY_ROTATE_OPTIONS,
} from './options.ts';

const FOLDER: readonly [string, string] = ['<folder>', 'folder of the identity'];

export const IDENTITY_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'identity init',
    description:
      'create the identity of a crawler: a private key, the directory with its public key, and a card',
    arguments: [FOLDER],
    options: IDENTITY_INIT_OPTIONS,
    run: async (options, args) => (await import('./write.ts')).initIdentity(args, options),
  }),
  defineCommand({
    name: 'identity rotate',
    description:
      'add a key to an identity, and let the other ones expire; crawlers that run change to it without a restart',
    arguments: [FOLDER],
    options: IDENTITY_ROTATE_OPTIONS,
    run: async (options, args) => (await import('./write.ts')).rotateIdentityKeys(args, options),
  }),
  defineCommand({
    name: 'identity publish',
    description: 'write the directory of an identity again: without expired keys, with new signatures',
    arguments: [FOLDER],
    options: IDENTITY_PUBLISH_OPTIONS,
    run: async (options, args) => (await import('./write.ts')).publishIdentityFiles(args, options),
  }),
  defineCommand({
    name: 'identity check',
    description:
      'find what is wrong with a deployed identity; exit 0: no finding above info, 1: warnings or errors, 2: no response',
    arguments: [['<url>', 'origin of the agent, such as https://bot.example']],
    options: CHECK_IDENTITY_OPTIONS,
    run: async (options, args) => (await import('./check.ts')).checkIdentityCommand(args, options),
  }),
  defineCommand({
    name: 'identity record',
    description:
      'print the card of a crawler as records for --crawlers FILE, so that its requests can be verified; exit 2: it cannot be read',
    arguments: [['<url>', 'the card, such as https://bot.example/signature-agent-card.json']],
    options: CARD_RECORD_OPTIONS,
    run: async (options, args) => (await import('./record.ts')).printCardRecord(args, options),
  }),
];

// Sends commands through the client object of a caller, whichever of the supported packages it is from. All replies are bytes: a file
// that was decoded as UTF-8 and encoded again would be another file.
import { DatabaseError } from '../../database/database-error.ts';
import { toRedisError } from './redis-error.ts';

/** A command or an argument of one. */
export type RedisArgument = string | Buffer;

/** A client of ioredis or iovalkey: `Redis` or `Cluster`. */
export interface IoredisClient {
  /** Sends a command, and returns its reply with bytes in place of texts. */
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
}

/** A client of node-redis (the package `redis`, version 5 or later): of `createClient`, `createClientPool`, `createCluster` or `createSentinel`. */
export interface NodeRedisClient {
  /** Returns a client whose replies have other types. */
  withTypeMapping(mapping: { readonly 36: BufferConstructor }): {
    /** Sends a command. */
    sendCommand(...call: never[]): unknown;
  };
}

/** A client object that a store can use. The caller connects and closes it. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** Sends one command. `key` is a key that the command names: a cluster needs it to find the server. */
type Send = (key: string, command: RedisArgument[]) => Promise<unknown>;

/** The type of replies that are texts or bytes (`RESP_TYPES.BLOB_STRING` of node-redis). */
const BLOB_STRING = 36;
/** How long a command may take, the connection included. Milliseconds. */
const TIMEOUT = 5_000;

/** A Lua script and its SHA-1. */
export interface RedisScript {
  readonly source: string;
  readonly sha1: string;
}

/** Commands with a deadline. All errors are of the class {@link DatabaseError}. */
export class RedisCommands {
  readonly #send: Send;

  /** @throws {TypeError} if `client` is of none of the supported packages. */
  constructor(client: RedisClient) {
    this.#send = createSend(client);
  }

  /** @param key - a key that the command names. */
  async send(key: string, command: RedisArgument[]): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new DatabaseError('database-unavailable', 'Redis did not respond in time')),
        TIMEOUT,
      );
    });
    try {
      return await Promise.race([this.#send(key, command), deadline]);
    } catch (error) {
      throw toRedisError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs a script. A server that does not have it, such as one that was restarted, gets its source.
   *
   * @param keys - all keys that the script uses; in a cluster one server must have all of them.
   */
  async run(
    { source, sha1 }: RedisScript,
    keys: readonly [string, ...string[]],
    args: readonly (RedisArgument | number)[],
  ): Promise<unknown> {
    const texts = args.map((each) => (typeof each === 'number' ? String(each) : each));
    const rest = [String(keys.length), ...keys, ...texts];
    try {
      return await this.send(keys[0], ['EVALSHA', sha1, ...rest]);
    } catch (error) {
      if (!isMissingScript(error)) throw error;
      return this.send(keys[0], ['EVAL', source, ...rest]);
    }
  }
}

function isMissingScript(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly message?: unknown } };
  return String(cause?.message).startsWith('NOSCRIPT');
}

function createSend(client: RedisClient): Send {
  const { callBuffer, withTypeMapping } = (client ?? {}) as Partial<IoredisClient & NodeRedisClient>;
  if (typeof callBuffer === 'function')
    return (_key, [name, ...args]) => (client as IoredisClient).callBuffer(String(name), args);
  if (typeof withTypeMapping !== 'function')
    throw new TypeError('RedisStore: the client must be one of ioredis, iovalkey, or redis 5 or later');
  const binary = (client as NodeRedisClient).withTypeMapping({ [BLOB_STRING]: Buffer }) as unknown as {
    sendCommand(...call: unknown[]): Promise<unknown>;
  };
  // Writing scripts and reads that decide about a write go to the server that can be written to.
  if ('masters' in client) return (key, command) => binary.sendCommand(key, false, command);
  if ('getMasterNode' in client) return (_key, command) => binary.sendCommand(false, command);
  return (_key, command) => binary.sendCommand(command);
}

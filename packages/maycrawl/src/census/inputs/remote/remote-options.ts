// How remote inputs are requested, and how they fail.
import { checkOptions } from '@maycrawl/core/internal';

/** How inputs are requested over HTTP. It can be sent to a thread. */
export interface RemoteOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Milliseconds for the head of a response, and for each 16 KiB of its body. @defaultValue 30,000 */
  readonly timeout?: number | undefined;
  /** Whether private addresses are allowed, as in `createAddressPolicy`. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** URLs that the operator wrote: their origins may be on private addresses. @defaultValue none */
  readonly openOrigins?: readonly string[];
  /** How failed requests are repeated. */
  readonly retries?: RetryOptions;
  /** How `s3://` URLs are requested. @defaultValue without signatures */
  readonly s3?: S3Options;
}

/** How Amazon S3, or a service with its interface, is requested. */
export interface S3Options {
  /** Without it, requests are not signed: public buckets permit that. */
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** @defaultValue `us-east-1` */
  readonly region?: string | undefined;
  /** The URL of another service. The bucket is the first part of the path. @defaultValue Amazon S3 */
  readonly endpoint?: string | undefined;
}

/** How failed requests are repeated. */
export interface RetryOptions {
  /** The number of requests after the first that fail one after another. @defaultValue 5 */
  readonly count?: number;
  /** The pause after the first failure, in milliseconds. It doubles. @defaultValue 1,000 */
  readonly firstPause?: number;
}

/** Checks names and types of the options of remote inputs. @throws {TypeError} if one is unknown or missing, or has a wrong type. */
export function checkRemoteOptions(remote: RemoteOptions): void {
  checkOptions<RemoteOptions>(
    'remote',
    remote,
    {
      ...{ userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean', openOrigins: 'array' },
      ...{ retries: 'object', s3: 'object' },
    },
    ['userAgent'],
  );
  checkOptions<RetryOptions>('retries of remote', remote.retries ?? {}, {
    ...{ count: 'number', firstPause: 'number' },
  });
  checkOptions<S3Options>('s3 of remote', remote.s3 ?? {}, {
    ...{ accessKeyId: 'string', secretAccessKey: 'string', sessionToken: 'string' },
    ...{ region: 'string', endpoint: 'string' },
  });
}

/** A remote input, or a part of it, cannot be read. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  /** Whether the same request would fail again. */
  readonly isPermanent: boolean;
  /** Milliseconds for which the server requests a pause. */
  readonly retryAfter: number;

  constructor(message: string, { isPermanent = false, retryAfter = 0, cause }: Partial<RemoteError> = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.isPermanent = isPermanent;
    this.retryAfter = retryAfter;
  }
}

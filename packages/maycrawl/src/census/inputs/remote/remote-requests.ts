// Requests of remote inputs: the HTTP layer of the client, with redirects, and with deadlines without progress.

import {
  type AddressPolicy,
  connectTo,
  createAddressPolicy,
  describeRequestFailure,
  followRedirects,
  getSharedResolver,
  isLocalFailure,
  isRemoteFailure,
  parseRetryAfter,
  sendSingleRequest,
} from '@maycrawl/client/internal';
import { isOwnRefusal } from '@maycrawl/client/policy';
import { ProgressDeadline } from './progress-deadline.ts';
import { RemoteError, type RemoteOptions } from './remote-options.ts';

const MAX_REDIRECTS = 5;
const TIMEOUT = 30_000;
/** Bytes of one response: larger than any archive. A body without end ends there. */
const MAX_BYTES = 2 ** 36;
const SUCCESSFUL: ReadonlySet<number> = new Set([200, 206]);
/** Statuses of failures that pass, besides 5xx: timeout, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

type SingleResponse = Awaited<ReturnType<typeof sendSingleRequest>>;

/** A successful response: status 200 or 206. The caller closes it. */
export interface RemoteResponse {
  readonly status: number;
  /** Returns a header, the first of several; `undefined` if the response has none. */
  readonly getHeader: (name: string) => string | undefined;
  /** The body as it was sent. It fails with a {@link RemoteError}. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Sends requests, each on a connection of its own. */
export class RemoteRequests {
  readonly #options: RemoteOptions;
  readonly #policy: AddressPolicy;

  /** @throws {RangeError} if one of the open origins is no URL. */
  constructor(options: RemoteOptions) {
    this.#options = options;
    const { allowPrivateAddresses, openOrigins = [] } = options;
    this.#policy = createAddressPolicy({ allowPrivateAddresses, openOrigins });
  }

  /**
   * Requests a file.
   *
   * @param url - an http, https or s3 URL.
   * @param headers - in addition to the usual ones.
   * @throws {RemoteError} if there is no response with the status 200 or 206.
   * @throws the signal's reason if it is aborted.
   */
  async send(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<RemoteResponse> {
    const deadline = new ProgressDeadline(this.#options.timeout ?? TIMEOUT, signal);
    let response: SingleResponse | undefined;
    const close = async (): Promise<void> => {
      deadline.end();
      await response?.close();
    };
    try {
      response = await deadline.wait(() => this.#open(url, headers, deadline.signal));
      if (!SUCCESSFUL.has(response.status))
        throw await deadline.wait(this.#describe.bind(this, url, response));
      deadline.restart();
      const { status } = response;
      const getHeader = (name: string): string | undefined => [response?.headers[name] ?? []].flat()[0];
      return { status, getHeader, body: readBody(response, deadline), close };
    } catch (error) {
      await close();
      throw toRemoteError(error, signal);
    }
  }

  /** Sends a request of S3, signed, or another one. */
  async #open(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SingleResponse> {
    if (!isS3(url)) return this.#follow(url, headers, signal);
    const { createS3Request } = await import('./s3-requests.ts');
    const request = await createS3Request(url, this.#options.s3);
    // A redirect would need another signature.
    return this.#request(request.url, { ...headers, ...request.headers }, signal);
  }

  async #describe(url: string, response: SingleResponse): Promise<RemoteError> {
    if (!isS3(url)) return createStatusError(response, `status ${response.status}`);
    const { describeS3Failure } = await import('./s3-requests.ts');
    return createStatusError(response, await describeS3Failure(response, this.#options.s3));
  }

  async #follow(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SingleResponse> {
    const { response, problem } = await followRedirects(url, {
      maxRedirects: MAX_REDIRECTS,
      request: (next) => this.#request(next, headers, signal),
      release: (each) => each.close(),
    });
    if (problem === undefined) return response;
    await response.close();
    throw new RemoteError(`status ${response.status}, a redirect that cannot be followed: ${problem.kind}`, {
      isPermanent: true,
    });
  }

  async #request(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<SingleResponse> {
    const connection = { resolver: getSharedResolver(), policy: this.#policy, signal };
    return sendSingleRequest(await connectTo(url, connection), url, {
      method: 'GET',
      maxBytes: MAX_BYTES,
      signal,
      headers: {
        'user-agent': this.#options.userAgent,
        accept: '*/*',
        // A range of a compressed response would be another one.
        'accept-encoding': 'identity',
        ...headers,
      },
    });
  }
}

function isS3(url: string): boolean {
  return /^s3:/i.test(url);
}

function createStatusError({ status, headers }: SingleResponse, message: string): RemoteError {
  const now = Date.now();
  const [retryAfter = null] = [headers['retry-after'] ?? []].flat();
  return new RemoteError(message, {
    isPermanent: status < 500 && !PASSING_STATUSES.has(status),
    retryAfter: Math.max(0, (parseRetryAfter(retryAfter, now) ?? now) - now),
  });
}

async function* readBody(response: SingleResponse, deadline: ProgressDeadline): AsyncGenerator<Uint8Array> {
  const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let bytes = 0;
  for (;;) {
    const { value, done } = await deadline
      .wait(() => chunks.next())
      .catch((error: unknown) => {
        throw toRemoteError(error, undefined);
      });
    if (done) break;
    bytes += value.length;
    if (bytes > MAX_BYTES) throw new RemoteError(`more than ${MAX_BYTES} bytes`, { isPermanent: true });
    deadline.receive(value.length);
    yield value;
  }
  const reset = response.getReset();
  if (reset !== undefined) throw toRemoteError(reset, undefined);
}

/** Converts a failure of the network or of this machine. Errors of the program remain as they are, and the reason of an abort. */
function toRemoteError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof RemoteError || signal?.aborted) return error;
  if (!isRemoteFailure(error) && !isLocalFailure(error)) return error;
  const { code, reason } = describeRequestFailure(error);
  return new RemoteError(reason, { isPermanent: isOwnRefusal(code), cause: error });
}

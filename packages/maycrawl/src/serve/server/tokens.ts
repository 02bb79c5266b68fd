// The bearer tokens of the service, which can change while it runs.
import { hash, timingSafeEqual } from 'node:crypto';

/** Bearer tokens (RFC 6750), one of which each request needs. */
export class Tokens {
  #digests: readonly Buffer[];
  #isOutdated = false;

  /** @param tokens - with an empty list, every request is allowed. */
  constructor(tokens: readonly string[]) {
    this.#digests = tokens.map(digest);
  }

  /** Whether requests need no token. */
  get isEmpty(): boolean {
    return this.#digests.length === 0;
  }

  /** Whether the last attempt to replace the tokens failed. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** Whether a token is valid. Compares it with all tokens, each in constant time. */
  has(token: string): boolean {
    const received = digest(token);
    return this.#digests.filter((each) => timingSafeEqual(each, received)).length > 0;
  }

  /**
   * Replaces the tokens. If that fails, those from before stay valid.
   *
   * @throws what `read` throws, and a RangeError for an empty list, or if the service has no tokens: that never changes.
   */
  async replace(read: () => Promise<readonly string[]>): Promise<void> {
    this.#isOutdated = true;
    if (this.isEmpty) throw new RangeError('the service was started without tokens');
    const tokens = await read();
    if (tokens.length === 0) throw new RangeError('there are no tokens');
    this.#digests = tokens.map(digest);
    this.#isOutdated = false;
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

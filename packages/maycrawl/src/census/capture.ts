// Captures: what an input says about the robots.txt of one origin at one time.

/** One capture. */
export interface Capture {
  /** The URL of the robots.txt, or of the target of a redirect from one. */
  readonly url: string;
  /** When it was captured, in milliseconds; `null` if the input does not say. */
  readonly time: number | null;
  /** The HTTP status; `null` if the input does not say, as for a folder of files. */
  readonly status: number | null;
  /** The Location header of a redirect. */
  readonly location: string | null;
  /** The body: at most 512,001 bytes of it; `null` if the input has none. */
  readonly body: Uint8Array | null;
  /** Whether the body ends early. */
  readonly isTruncated: boolean;
  /**
   * - `response`: a response, or a file.
   * - `not-modified`: a 304, whose body an earlier capture has.
   * - `duplicate`: the archive has the same body elsewhere, and omits it here.
   * - `invalid`: something that is not an HTTP response.
   */
  readonly kind: 'response' | 'not-modified' | 'duplicate' | 'invalid';
  /** The number of redirects before this capture. */
  readonly hops: number;
  /** The path of the input. */
  readonly input: string;
  /** Offset of the capture in the decompressed input. */
  readonly offset: number;
}

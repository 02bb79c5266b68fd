// A request of a crawler, as an access log has it.

/** The fields of an HTTP message signature in a log (RFC 9421), as they were sent. */
export interface SignatureFields {
  /** The field `Signature`. */
  readonly signature: string;
  /** The field `Signature-Input`. */
  readonly input: string;
  /** The field `Signature-Agent`; empty if the request had none. */
  readonly agent: string;
}

/** A request of a crawler. */
export interface LogRequest {
  /** When the server received it, in milliseconds since 1970. */
  readonly time: number;
  /** The host that the log names, in lower case, with a port that is not the default one; `null` if the log names none. */
  readonly host: string | null;
  /** The method, such as `GET`. */
  readonly method: string;
  /** Path and query as they were logged. It begins with `/`; other targets, such as `*`, are as they were logged. */
  readonly target: string;
  /** The status of the response; `null` if the log has none. */
  readonly status: number | null;
  /** The size of the response in bytes; 0 if the log has none. */
  readonly bytes: number;
  /** The name of the crawler, as `resolveAgent` returns it for the User-Agent header. */
  readonly crawler: string;
  /** The value of the User-Agent header. */
  readonly userAgent: string;
  /** The address of the client; `null` if the log has none, or one that is shortened or hidden. */
  readonly address: string | null;
  /** `null` if the log has no signature of the request. */
  readonly signature: SignatureFields | null;
}

/** Lines of logs. */
export interface LineCounts {
  /** All lines that are not empty. */
  readonly read: number;
  readonly parsed: number;
  readonly unparsed: number;
  /** Parsed lines of requests of crawlers. */
  readonly crawlers: number;
  /** Parsed lines of other requests. */
  readonly visitors: number;
}

/** Requests of crawlers, and what is known of all lines after the last one. */
export interface LogReading {
  /** Reads the log: the requests in the order of their times. It is called once. */
  readonly batches: () => AsyncIterable<readonly LogRequest[]>;
  readonly counts: LineCounts;
  /** The time of the first and the last line in milliseconds since 1970; `null` before the first line. */
  readonly from: number | null;
  readonly to: number | null;
  /** Whether a request of a crawler had an address. */
  readonly hasAddresses: boolean;
}

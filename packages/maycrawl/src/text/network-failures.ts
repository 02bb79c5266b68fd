// Why a site could not be reached, in words. Messages quote the errors of Node.js, undici and OpenSSL, which few people can read.

/** A failure of the network, in words. */
export interface NetworkFailure {
  /** What failed, in a clause. */
  readonly text: string;
  /** What the owner of the site can do or should know, in a sentence. */
  readonly advice: string | null;
}

type Row = readonly [pattern: RegExp, text: string, advice?: string];

/** The first match applies. */
const CERTIFICATE_FAILURES: readonly Row[] = [
  [/CERT_HAS_EXPIRED/, 'the certificate has expired', 'Renew it.'],
  [/CERT_NOT_YET_VALID/, 'the certificate is not valid yet'],
  [/ALTNAME_INVALID/, 'the certificate is for another host name'],
  [/SELF_SIGNED/, 'the certificate is self-signed', 'Crawlers do not trust it.'],
  [
    /UNABLE_TO_(?:VERIFY_LEAF|GET_ISSUER)|CERT_UNTRUSTED/,
    'the certificate cannot be verified',
    'Usually the server does not send the intermediate certificate.',
  ],
  [/CERT_REVOKED/, 'the certificate was revoked'],
  [/\b(?:CERT_|ERR_TLS_CERT|UNABLE_TO_)/, 'the certificate is not valid'],
];

/** The first match applies, after those of certificates. */
const OTHER_FAILURES: readonly Row[] = [
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/i,
    'the server does not speak TLS on this port',
    'Perhaps it serves only http.',
  ],
  [/ERR_SSL|EPROTO|TLS handshake/i, 'the TLS handshake failed'],
  [/ENOTFOUND|NXDOMAIN/, 'the host name does not exist in DNS'],
  [/EAI_AGAIN|SERVFAIL/, 'DNS does not respond'],
  [/ECONNREFUSED/, 'the server refuses connections on this port'],
  [/ECONNRESET|UND_ERR_SOCKET|EPIPE|closed/, 'the server closed the connection without a complete response'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no route to the server'],
  [/ETIMEDOUT|UND_ERR_(?:CONNECT_|HEADERS_|BODY_)?TIMEOUT/, 'no response in time'],
];

/** Finds the words for the message of a failure; `null` if it has no code that needs other words. */
export function findNetworkFailure(message: string): NetworkFailure | null {
  const row = [...CERTIFICATE_FAILURES, ...OTHER_FAILURES].find(([pattern]) => pattern.test(message));
  return row === undefined ? null : { text: row[1], advice: row[2] ?? null };
}

/** Whether a connection failed because of the certificate. @param message - the message of the failure. */
export function isCertificateFailure(message: string): boolean {
  return CERTIFICATE_FAILURES.some(([pattern]) => pattern.test(message));
}

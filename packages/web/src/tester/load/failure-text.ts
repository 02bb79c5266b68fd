// Why a site could not be reached, in words. The service quotes the error of its network or TLS library, which few people can read.

/** Codes of Node.js and OpenSSL, and what they mean. The first match applies. */
const FAILURES: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/CERT_HAS_EXPIRED/, 'The certificate of the site has expired. Renew it.'],
  [/CERT_NOT_YET_VALID/, 'The certificate of the site is not valid yet.'],
  [/ALTNAME_INVALID/, 'The certificate of the site is for another host name.'],
  [/SELF_SIGNED/, 'The certificate of the site is self-signed, so crawlers do not trust it.'],
  [
    /UNABLE_TO_(?:VERIFY_LEAF|GET_ISSUER)|CERT_UNTRUSTED/,
    'The certificate of the site cannot be verified: usually the server does not send the intermediate certificate.',
  ],
  [/CERT_REVOKED/, 'The certificate of the site was revoked.'],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/i,
    'The server does not speak TLS on this port: perhaps it serves only http.',
  ],
  [/ERR_SSL|EPROTO|TLS handshake/i, 'The TLS handshake failed.'],
  [/ENOTFOUND/, 'There is no such host name.'],
  [/EAI_AGAIN/, 'The host name could not be resolved at the moment.'],
  [/ECONNREFUSED/, 'The server refuses connections on this port.'],
  [/ECONNRESET|closed/, 'The server closed the connection without a complete response.'],
];

/** Describes a failure in one or two sentences; `null` if the message is of another kind. */
export function describeFailure(message: string | null): string | null {
  return (message !== null && FAILURES.find(([pattern]) => pattern.test(message))?.[1]) || null;
}

// What names an agent in its requests (draft-ietf-webbotauth-httpsig-protocol-01).

/** The path of a directory of keys (section 8.1). */
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
/** The media type of a directory (section 8.2). */
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

/** The parameter `tag` of signatures of requests (section 5.2). */
export const REQUEST_TAG = 'web-bot-auth';
/** The parameter `tag` of signatures of a directory (appendix B.1). */
export const DIRECTORY_TAG = 'http-message-signatures-directory';

/**
 * Returns the origin of an agent whose keys are at the well-known path. The draft has their URL as the name of an agent, and versions before
 * -01 have the origin.
 *
 * @returns `undefined` for all other URLs, and without https.
 */
export function toAgentOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, origin, href } = new URL(url);
  const isAgent = href === `${origin}/` || href === origin + DIRECTORY_PATH;
  return protocol === 'https:' && isAgent ? origin : undefined;
}

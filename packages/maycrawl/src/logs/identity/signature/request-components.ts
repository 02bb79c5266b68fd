// The components of a logged request (RFC 9421 section 2), as far as a log has them.
import { type ComponentReader, type Dictionary, serializeMember } from '@maycrawl/client/internal';
import type { LogRequest } from '../../request.ts';

/** What a log does not say about a request. */
export interface Assumptions {
  readonly scheme: 'https' | 'http';
  /** The component `@query` of a target without one: `?` in RFC 9421 section 2.2.7, empty in web-bot-auth 0.1.3. */
  readonly emptyQuery: '?' | '';
  /** The members of Signature-Agent; `undefined` if it is no dictionary. */
  readonly agents: Dictionary | undefined;
}

/** Creates a reader of the components of a logged request. */
export function createComponentReader(
  request: LogRequest,
  { scheme, emptyQuery, agents }: Assumptions,
): ComponentReader {
  const { host, method, target, userAgent, signature } = request;
  const isPath = target.startsWith('/');
  const query = target.indexOf('?');
  const readers: Readonly<Record<string, () => string | undefined>> = {
    '@method': () => method,
    '@authority': () => host ?? undefined,
    '@scheme': () => scheme,
    '@target-uri': () => (host === null || !isPath ? undefined : `${scheme}://${host}${target}`),
    '@request-target': () => target,
    '@path': () => (isPath ? target.slice(0, query === -1 ? undefined : query) : undefined),
    '@query': () => (isPath ? (query === -1 ? emptyQuery : target.slice(query)) : undefined),
    'user-agent': () => userAgent.trim(),
    'signature-agent': () => signature?.agent.trim(),
  };
  return (name, component) => {
    if (component.parameters.size === 0) return Object.hasOwn(readers, name) ? readers[name]?.() : undefined;
    return name === 'signature-agent' ? serializeMember(agents, component) : undefined;
  };
}

// The signature base of a request (RFC 9421 section 2.5), as far as a log has its components.
import type { LogRequest } from '../../request.ts';
import {
  type BareItem,
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  serializeInnerList,
  serializeItem,
} from './structured-fields.ts';

/** Returns the value of a component; `undefined` if it is unknown. */
export type ComponentReader = (name: string, component: Item) => string | undefined;

/**
 * Builds a signature base.
 *
 * @param input - the member of Signature-Input.
 * @returns `undefined` if a component is unknown, is there twice, or is no text.
 */
export function buildSignatureBase(input: InnerList, read: ComponentReader): string | undefined {
  const lines = new Map<string, string>();
  for (const component of input.items) {
    const { kind, value } = component.bare;
    const identifier = serializeItem(component);
    if (kind !== 'string' || lines.has(identifier)) return undefined;
    const content = read(value as string, component);
    // A line end would be another line of the base.
    if (content === undefined || /[\r\n]/.test(content)) return undefined;
    lines.set(identifier, content);
  }
  const all = [...lines].map(([identifier, content]) => `${identifier}: ${content}`);
  return [...all, `"@signature-params": ${serializeInnerList(input)}`].join('\n');
}

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
  return (name, { parameters }) => {
    if (parameters.size === 0) return Object.hasOwn(readers, name) ? readers[name]?.() : undefined;
    const key = parameters.get('key');
    if (name !== 'signature-agent' || parameters.size > 1 || key === undefined) return undefined;
    return serializeMember(agents, key);
  };
}

function serializeMember(members: Dictionary | undefined, key: BareItem): string | undefined {
  const member = key.kind === 'string' ? members?.get(key.value as string) : undefined;
  if (member === undefined) return undefined;
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
}

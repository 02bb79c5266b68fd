// The signature base of a message (RFC 9421 section 2.5): what is signed, and what a verifier builds again.
import {
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

/**
 * Returns the value of a member of a dictionary, which a component with the parameter `key` covers (RFC 9421 section 2.1.2).
 *
 * @param members - `undefined` if the field is no dictionary.
 * @returns `undefined` if there is no such member, or the component has other parameters.
 */
export function serializeMember(members: Dictionary | undefined, { parameters }: Item): string | undefined {
  const key = parameters.get('key');
  if (parameters.size !== 1 || key?.kind !== 'string') return undefined;
  const member = members?.get(key.value as string);
  if (member === undefined) return undefined;
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member);
}

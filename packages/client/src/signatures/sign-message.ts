// Signs messages (RFC 9421 section 3.1).
import { type KeyObject, sign } from 'node:crypto';
import { buildSignatureBase, type ComponentReader } from './signature-base.ts';
import {
  type BareItem,
  createBytes,
  createInteger,
  createString,
  type InnerList,
  type Item,
  serializeInnerList,
} from './structured-fields.ts';

/** What a signature covers, and what it says. */
export interface SignatureContent {
  /** The name of the signature in both fields. */
  readonly label: string;
  readonly components: readonly Item[];
  /** In their order: strings, and whole numbers. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** A signature: a member of each of the two fields. */
export interface MessageSignature {
  readonly input: string;
  readonly signature: string;
}

/** Creates the identifier of a component. @param parameters - strings, and flags. */
export function createComponent(
  name: string,
  parameters: Readonly<Record<string, string | true>> = {},
): Item {
  const entries = Object.entries(parameters).map(([key, value]): [string, BareItem] => [
    key,
    value === true ? { kind: 'boolean', value, text: '?1' } : createString(value),
  ]);
  return { bare: createString(name), parameters: new Map(entries) };
}

/**
 * Signs a message with an Ed25519 key.
 *
 * @param read - returns the value of each component.
 * @throws {RangeError} if a component or a parameter has a value that cannot be signed.
 */
export function signMessage(
  key: KeyObject,
  { label, components, parameters }: SignatureContent,
  read: ComponentReader,
): MessageSignature {
  const entries = Object.entries(parameters).map(([name, value]): [string, BareItem] => [
    name,
    typeof value === 'number' ? createInteger(value) : createString(value),
  ]);
  const input: InnerList = { items: components, parameters: new Map(entries) };
  const base = buildSignatureBase(input, read);
  if (base === undefined)
    throw new RangeError('a component of the signature has no value, or more than one line');
  const bytes = sign(null, Buffer.from(base), key);
  return {
    input: `${label}=${serializeInnerList(input)}`,
    signature: `${label}=${createBytes(bytes).text}`,
  };
}

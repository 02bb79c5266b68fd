// Descriptions of JSON, from which TypeScript types and JSON Schemas (draft 2020-12) follow. They are literals with `as const`, and have the
// keywords of JSON Schema with one difference: each property of an object is required, unless `optional` has its name, or is `'all'`.

/** Schemas by name. One refers to another by `{ $ref: '#/$defs/NAME' }`. */
export type Definitions = Readonly<Record<string, object>>;

/** The type of the JSON that a schema describes. `Defs` are the definitions that it may refer to. */
export type JsonOf<Schema, Defs> = Schema extends { readonly $ref: `#/$defs/${infer Name}` }
  ? Name extends keyof Defs
    ? JsonOf<Defs[Name], Defs>
    : never
  : Schema extends { readonly anyOf: readonly (infer Option)[] }
    ? JsonOfEach<Option, Defs>
    : Schema extends { readonly allOf: readonly [infer First, infer Second] }
      ? JsonOf<First, Defs> & JsonOf<Second, Defs>
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Value
        : Schema extends { readonly type: infer Type }
          ? JsonOfType<Type extends readonly (infer Each)[] ? Each : Type, Schema, Defs>
          : unknown;

type JsonOfEach<Option, Defs> = Option extends unknown ? JsonOf<Option, Defs> : never;

type JsonOfType<Type, Schema, Defs> = Type extends keyof Primitives
  ? Primitives[Type]
  : Type extends 'array'
    ? Schema extends { readonly items: infer Item }
      ? readonly JsonOf<Item, Defs>[]
      : readonly unknown[]
    : JsonObjectOf<Schema, Defs>;

interface Primitives {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type JsonObjectOf<Schema, Defs> = Schema extends { readonly properties: infer Properties }
  ? Simplified<
      {
        readonly [Name in Exclude<keyof Properties, OptionalIn<Schema>>]: JsonOf<Properties[Name], Defs>;
      } & {
        readonly [Name in keyof Properties & OptionalIn<Schema>]?: JsonOf<Properties[Name], Defs>;
      }
    >
  : Readonly<Record<string, unknown>>;

type OptionalIn<Schema> = Schema extends { readonly optional: 'all' }
  ? PropertyKey
  : Schema extends { readonly optional: readonly (infer Name)[] }
    ? Name
    : never;
/** One object type instead of an intersection, for messages of the compiler. */
type Simplified<Type> = { [Name in keyof Type]: Type[Name] };

/**
 * Creates the JSON Schema of a description: with the names of required properties, without references, and with one object in place of `allOf`.
 *
 * @param description - without recursion.
 * @throws {RangeError} if a reference names no definition.
 */
export function toJsonSchema(description: object, definitions: Definitions = {}): object {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, allOf, optional, properties, ...others } = value as Description;
    if (allOf !== undefined) return mergeObjects(allOf.map((each) => convert(each) as ObjectSchema));
    const converted = convertEach(others);
    if (properties !== undefined) {
      const required = Object.keys(properties).filter(
        (name) => optional !== 'all' && !optional?.includes(name),
      );
      return { ...converted, ...(required.length > 0 && { required }), properties: convertEach(properties) };
    }
    if (reference === undefined) return converted;
    const definition = definitions[reference.replace('#/$defs/', '')];
    if (definition === undefined) throw new RangeError(`"${reference}" names no definition`);
    return { ...(convert(definition) as object), ...converted };
  };
  const convertEach = (object: object): object =>
    Object.fromEntries(Object.entries(object).map(([name, each]) => [name, convert(each)]));
  return convert(description) as object;
}

interface Description {
  readonly $ref?: string;
  readonly allOf?: readonly object[];
  readonly optional?: 'all' | readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}

function mergeObjects(schemas: readonly ObjectSchema[]): object {
  return {
    ...Object.assign({}, ...schemas),
    required: schemas.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
  };
}

/**
 * TypeScript types from JSON Schemas (draft 2020-12, the keywords that this package uses), and schemas without references. Schemas are
 * literals with `as const`: what they describe has no second description.
 *
 * @module
 */

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
        readonly [Name in keyof Properties & RequiredIn<Schema>]: JsonOf<Properties[Name], Defs>;
      } & {
        readonly [Name in Exclude<keyof Properties, RequiredIn<Schema>>]?: JsonOf<Properties[Name], Defs>;
      }
    >
  : Readonly<Record<string, unknown>>;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;
/** One object type instead of an intersection, for messages of the compiler. */
type Simplified<Type> = { [Name in keyof Type]: Type[Name] };

/**
 * Replaces references by the definitions that they name, and merges `allOf` of objects into one object.
 *
 * @param schema - a schema that is not recursive.
 * @throws {RangeError} if a reference names no definition.
 */
export function resolveReferences(schema: object, definitions: Definitions): object {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const {
      $ref: reference,
      allOf,
      ...others
    } = value as {
      readonly $ref?: unknown;
      readonly allOf?: readonly object[];
    };
    if (allOf !== undefined) return mergeObjects(allOf.map((each) => resolve(each) as ObjectSchema));
    const entries = Object.entries(others).map(([name, each]) => [name, resolve(each)] as const);
    if (typeof reference !== 'string') return Object.fromEntries(entries);
    const definition = definitions[reference.replace('#/$defs/', '')];
    if (definition === undefined) throw new RangeError(`"${reference}" names no definition`);
    return { ...(resolve(definition) as object), ...Object.fromEntries(entries) };
  };
  return resolve(schema) as object;
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

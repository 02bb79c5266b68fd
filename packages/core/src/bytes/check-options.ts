// Checks of option objects. An option that the callee does not know is an error: if it were ignored, a misspelled restriction would allow
// what it should refuse.
import { computeEditDistance } from './edit-distance.ts';
import { truncate } from './truncate.ts';

/** Types of values: results of `typeof`, `array`, and `null`. An `object` is neither an array nor `null`. */
export type OptionType = 'boolean' | 'string' | 'number' | 'function' | 'object' | 'array' | 'null';

/** The options of an interface with the types of their values; `any` leaves the check to the callee. The value `undefined` is valid. */
export type OptionTypes<Options> = {
  readonly [Name in keyof Required<Options>]: 'any' | OptionType | readonly OptionType[];
};

const MAX_QUOTED = 100;

/**
 * Checks names and types of options.
 *
 * @param owner - the function or class that the options belong to, for messages.
 * @param required - the options without a default, in the order in which missing ones are named.
 * @throws {TypeError} if `options` is not an object, if it has an option that `types` does not have, if a value has a wrong type, or if
 *   a required option is missing.
 * @example
 * checkOptions<{ timeout?: number }>('fetch', { timeuot: 5 }, { timeout: 'number' });
 * // TypeError: fetch: unknown option "timeuot". Did you mean "timeout"?
 */
export function checkOptions<Options extends object>(
  owner: string,
  options: Options,
  types: OptionTypes<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  if (getOptionType(options) !== 'object')
    throw new TypeError(`${owner}: the options must be an object, not ${quoteValue(options)}`);
  // `in` and `for` include inherited options, as access to a property does.
  for (const name in options) {
    if (!Object.hasOwn(types, name))
      throw new TypeError(`${owner}: ${describeUnknown(name, Object.keys(types))}`);
    const value: unknown = options[name];
    if (value !== undefined) checkType(owner, name, value, types[name]);
  }
  if (!isPlain(options)) requireNoMembers(owner, options, types);
  for (const name of required)
    if (options[name] === undefined) throw new TypeError(`${owner}: the option "${name}" is missing`);
}

/** Objects without a class: most callers, so they pay for one comparison. */
function isPlain(options: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(options);
  return prototype === Object.prototype || prototype === null;
}

/** Checks the members of classes, which `for` does not include: a Map, or an accessor, whose name is not an option. */
function requireNoMembers<Options>(owner: string, options: object, types: OptionTypes<Options>): void {
  let prototype: object | null = Object.getPrototypeOf(options);
  // The last prototype is that of all objects.
  for (let next: object | null; prototype !== null; prototype = next) {
    next = Object.getPrototypeOf(prototype);
    if (next === null) return;
    for (const name of Object.getOwnPropertyNames(prototype))
      if (name !== 'constructor' && !Object.hasOwn(types, name))
        throw new TypeError(`${owner}: ${describeUnknown(name, Object.keys(types))}`);
  }
}

function checkType(
  owner: string,
  name: string,
  value: unknown,
  expected: 'any' | OptionType | readonly OptionType[],
): void {
  if (expected === 'any') return;
  const type = getOptionType(value);
  const isExpected = typeof expected === 'string' ? type === expected : expected.includes(type as OptionType);
  if (isExpected) return;
  const types = typeof expected === 'string' ? expected : expected.join(' or ');
  throw new TypeError(`${owner}: the option "${name}" must be of type ${types}, not ${quoteValue(value)}`);
}

function getOptionType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function describeUnknown(name: string, names: readonly string[]): string {
  const nearest = findNearestName(name, names);
  const hint = nearest === undefined ? `The options are ${names.join(', ')}.` : `Did you mean "${nearest}"?`;
  return `unknown option ${quoteValue(name)}. ${hint}`;
}

/**
 * Finds the name that a misspelled one most probably means.
 *
 * @returns `undefined` if more than a third of the characters differ, regardless of case.
 */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let least = limit + 1;
  for (const each of names) {
    if (Math.abs(each.length - name.length) >= least) continue;
    const distance = computeEditDistance(each.toLowerCase(), name.toLowerCase(), limit);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}

/**
 * Checks that an argument is text. Another value must not read as an empty text, which restricts nothing.
 *
 * @param what - the argument, for the message.
 * @throws {TypeError} if `value` is not a string.
 */
export function requireString(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, not ${quoteValue(value)}`);
}

/**
 * Checks that an argument is a list of texts.
 *
 * @param what - the argument, for the message.
 * @throws {TypeError} if `value` is no array, or has an element that is not a string.
 */
export function requireStrings(what: string, value: unknown): asserts value is readonly string[] {
  if (!Array.isArray(value))
    throw new TypeError(`${what} must be a list of strings, not ${quoteValue(value)}`);
  for (const each of value)
    if (typeof each !== 'string')
      throw new TypeError(`${what} must be a list of strings, without ${quoteValue(each)}`);
}

/** The least and the largest value of an option that is a number. */
export type NumberRange = readonly [least: number, most: number, kind?: 'whole'];

/**
 * Checks that options are within their ranges. NaN is in no range.
 *
 * @param ranges - by the names of the options; the value `undefined` is valid.
 * @throws {RangeError} for an option that is not.
 */
export function checkRanges<Options extends object>(
  owner: string,
  options: Options,
  ranges: { readonly [Name in keyof Options]?: NumberRange },
): void {
  for (const name in ranges) {
    const value: unknown = options[name];
    const [least, most, kind] = ranges[name] as NumberRange;
    if (value === undefined) continue;
    if (typeof value === 'number' && value >= least && value <= most && (kind !== 'whole' || value % 1 === 0))
      continue;
    const number = kind === 'whole' ? 'a whole number' : 'a number';
    const bounds = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new RangeError(
      `${owner}: the option "${name}" must be ${number} ${bounds}, not ${quoteValue(value)}`,
    );
  }
}

/** Quotes a value for a message, within a length limit. It never throws, whatever the value is. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(truncate(value, MAX_QUOTED));
  const type = getOptionType(value);
  if (type === 'array') return 'an array';
  if (type === 'object') return 'an object';
  if (type === 'function') return 'a function';
  return String(value);
}

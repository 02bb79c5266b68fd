// Checks of the values in a catalogue. Messages name the place, and contain no values.
import { truncate } from '../bytes/truncate.ts';
import { SOURCE_KINDS } from './record.ts';

/** Maximum number of characters of a text. */
export const MAX_TEXT = 300;
const MAX_TOKEN = 100;

/** Checks a value. @param path - names the value in messages, such as `crawlers[3].token`. @throws {TypeError} if it is invalid. */
export type Check = (value: unknown, path: string) => void;

export function fail(path: string, expected: string): never {
  throw new TypeError(`${path} must be ${expected}`);
}

export function text(expected: string, pattern: RegExp, maxLength: number): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !isWithin(value, maxLength) || !pattern.test(value))
      fail(path, expected);
  };
}

/** Whether a text has at most a number of characters, as JSON Schema counts them. */
function isWithin(value: string, maxLength: number): boolean {
  return value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength);
}

export function oneOf(choices: readonly string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !choices.includes(value)) fail(path, `one of ${choices.join(', ')}`);
  };
}

export function listOf(
  check: Check,
  most: number,
  { isUnique = false }: { readonly isUnique?: boolean } = {},
): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > most) fail(path, `a list with at most ${most} items`);
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`);
    if (isUnique && new Set(value).size < value.length) fail(path, 'a list without repetitions');
  };
}

export function orNull(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object');
    const missing = Object.keys(required).find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) fail(path, `an object with "${missing}"`);
    for (const [key, item] of Object.entries(value)) {
      const check = checks.get(key);
      if (check === undefined) fail(path, `an object without ${JSON.stringify(truncate(key, MAX_TOKEN))}`);
      check(item, `${path}.${key}`);
    }
  };
}

export const TOKEN: Check = /* @__PURE__ */ text(
  'letters, digits, "_", "-" and "."',
  /^[A-Za-z0-9._-]+$/,
  MAX_TOKEN,
);
export const TEXT: Check = /* @__PURE__ */ text(
  `a text with 1 to ${MAX_TEXT} characters`,
  /[\s\S]/,
  MAX_TEXT,
);
export const URL_TEXT: Check = /* @__PURE__ */ text('an http or https URL', /^https?:\/\/[!-~]+$/, MAX_TEXT);
export const DATE: Check = /* @__PURE__ */ text(
  'a year, month or day such as 2026-11-23',
  /^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$/,
  10,
);

/** Where facts are from. */
export const SOURCES: Check = /* @__PURE__ */ listOf(
  /* @__PURE__ */ object({ url: URL_TEXT, kind: /* @__PURE__ */ oneOf(SOURCE_KINDS), date: DATE }),
  10,
);

// A digest of the paths and lengths of inputs, in their order. Those of several lists combine to that of one: a polynomial over a prime field
// whose coefficients are SHA-256 digests. It detects other inputs, but not intent.
import { hash } from 'node:crypto';
import type { InputFile } from './inputs/task.ts';

/** 2^255 - 19, a prime. */
const MODULUS = 2n ** 255n - 19n;
/** Where the polynomial is evaluated: any number that is not small. */
const BASE = BigInt(`0x${hash('sha256', 'maycrawl census inputs')}`) % MODULUS;

/** Computes the digest of inputs, in base 16. */
export function digestInputs(inputs: readonly Pick<InputFile, 'path' | 'bytes'>[]): string {
  let sum = 0n;
  for (const { path, bytes } of inputs)
    sum = (sum * BASE + BigInt(`0x${hash('sha256', JSON.stringify([path, bytes]))}`)) % MODULUS;
  return format(sum);
}

/** Computes the digest of two lists, one after the other. @param count - the number of inputs of the second. */
export function combineDigests(first: string, second: string, count: number): string {
  return format((BigInt(`0x${first}`) * power(count) + BigInt(`0x${second}`)) % MODULUS);
}

/** Returns the base to a power, by squaring. */
function power(exponent: number): bigint {
  let result = 1n;
  let square = BASE;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * square) % MODULUS;
    square = (square * square) % MODULUS;
  }
  return result;
}

function format(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}

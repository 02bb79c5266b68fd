/**
 * Flags of V8 for an audit: a short program whose live objects take some 15 MB however many pages it has.
 *
 * @module
 */
import { setFlagsFromString } from 'node:v8';

const FLAGS: readonly string[] = [
  // V8 takes 30 MB and 100 ms to optimize undici's parser of HTTP, which is WebAssembly, and an audit is not faster then. The kernel of
  // core reads only one robots.txt of each site.
  '--liftoff-only',
  // V8 lets the heap grow to several times the live objects. For a thousand pages, collecting garbage earlier takes no measurable time.
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=30',
  // V8 optimizes a function after four times as much work as by default. With the default, the optimizing compiler takes more than a
  // quarter of the processor time of an audit of a thousand pages, which ends before most of its code pays.
  '--interrupt-budget=270000',
];

/** Sets the flags for this process. Call it before the command is loaded. */
export function setV8Flags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Pages after which {@link allowLargeYoungGeneration} pays. */
export const PAGES_OF_LARGE_AUDIT = 2_000;

/**
 * Lets the young generation grow. An audit of 20,000 pages takes a fifth less processor time then, and 165 MB instead of 131: fewer objects
 * of the pages in flight survive a collection.
 */
export function allowLargeYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}

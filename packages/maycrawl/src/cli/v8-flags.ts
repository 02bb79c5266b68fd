// Flags of V8 for audits and for large access logs: programs whose live objects take some 15 MB however long their input is.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** V8 lets the heap grow to several times the live objects. Collecting garbage earlier takes no time that a user notices. */
const HEAP_FLAGS: readonly string[] = ['--semi-space-growth-factor=1', '--heap-growing-percent=30'];

const FLAGS: readonly string[] = [
  ...HEAP_FLAGS,
  // V8 takes 30 MB and 100 ms to optimize undici's parser of HTTP, which is WebAssembly, and an audit is not faster then. The kernel of
  // core reads only one robots.txt of each site.
  '--liftoff-only',
  // V8 optimizes a function after four times as much work as by default. With the default, the optimizing compiler takes more than a
  // quarter of the processor time of an audit of a thousand pages, which ends before most of its code pays.
  '--interrupt-budget=270000',
];

/** Keeps the heaps of this process and of its threads small, from now on. */
export function keepHeapsSmall(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
}

/** Sets the flags of an audit for this process. */
export function setV8Flags(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Pages after which {@link growYoungGeneration} pays. */
export const PAGES_OF_LARGE_AUDIT = 2_000;
/** Size to which the young generation grows, both semi-spaces together. Bytes. */
const YOUNG_GENERATION = 8 * 2 ** 20;

/**
 * Lets the young generation grow to 8 MiB, where it has 2 MiB by the flags above. Fewer objects of the pages in flight survive a collection
 * then. With 32 MiB, to which V8 would let it grow, an audit of 20,000 pages takes the same time and 30 MiB more.
 *
 * @returns whether it has this size. If not, call the function again: V8 grows it after a collection.
 */
export function growYoungGeneration(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  const isLarge = young === undefined || young.space_size >= YOUNG_GENERATION;
  setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : 2}`);
  return isLarge;
}

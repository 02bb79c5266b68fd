/**
 * Several sequences at the same time.
 *
 * @module
 */

/**
 * What many sequences give, as it comes, from at most `limit` of them at a time. What a sequence gives keeps its order. A sequence
 * goes on only while somebody takes what comes.
 */
export async function* merge<T>(
  sequences: Iterable<AsyncGenerator<T>>,
  limit: number,
): AsyncGenerator<T, void, undefined> {
  const waiting = sequences[Symbol.iterator]();
  type Step = { readonly sequence: AsyncGenerator<T>; readonly result: IteratorResult<T> };
  const steps = new Map<AsyncGenerator<T>, Promise<Step>>();
  const advance = (sequence: AsyncGenerator<T>): void => {
    steps.set(
      sequence,
      sequence.next().then((result) => ({ sequence, result })),
    );
  };
  try {
    for (;;) {
      while (steps.size < limit) {
        const next = waiting.next();
        if (next.done) break;
        advance(next.value);
      }
      if (steps.size === 0) return;
      const { sequence, result } = await Promise.race(steps.values());
      if (result.done) steps.delete(sequence);
      else {
        yield result.value;
        advance(sequence);
      }
    }
  } finally {
    // Somebody has had enough, or one has failed: nobody waits for the others.
    for (const [sequence, step] of steps) {
      step.catch(() => {});
      void sequence.return(undefined).catch(() => {});
    }
  }
}

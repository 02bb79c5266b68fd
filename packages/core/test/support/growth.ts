// Measures how the time of a function grows with its input.

/** No more than this is taken for linear; a quadratic one has 2. */
export const LINEAR = 1.7;

/** Doubled each time. */
export const SIZES: readonly number[] = [4_000, 8_000, 16_000, 32_000];

const ATTEMPTS = 15;

/**
 * The exponent with which the processor time of `work` grows with its size: the slope of a line through the logarithms. The least of
 * several times counts, because other work on the machine can only increase it.
 */
export function growthExponent(
  work: (size: number) => void,
  sizes: readonly number[] = SIZES,
  attempts: number = ATTEMPTS,
): number {
  const points = sizes.map((size) => {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const start = process.cpuUsage();
      work(size);
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, user + system);
    }
    return [Math.log(size), Math.log(Math.max(best, 1))] as const;
  });
  const mean = (index: 0 | 1): number => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const up = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return up / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

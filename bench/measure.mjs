// Times several programs in turn. Times are medians of the rounds, with the 10th and 90th percentile.

export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);

/** The number of rounds before the measurement, in which code is compiled. */
const WARM_UP = 2;

/** Each program runs at least this long in its turn, in nanoseconds: the first milliseconds after another program find its data in the caches. */
const MIN_TIME = 50e6;

export const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * q)];

/** Formats a time in nanoseconds with a suitable unit. */
export function formatTime(nanoseconds) {
  if (nanoseconds < 10_000) return `${Math.round(nanoseconds)} ns`;
  return nanoseconds < 1e7 ? `${(nanoseconds / 1e3).toFixed(1)} µs` : `${(nanoseconds / 1e6).toFixed(1)} ms`;
}

/**
 * Runs the programs in turn, each once or several times, and prints the time for each question and its ratio to the first. `run` returns the
 * number of allowed URLs, which must be `expected` each time.
 */
export async function compare(title, questions, competitors) {
  console.log(`\n${title} (${questions} questions, ${ROUNDS} rounds)`);
  const times = competitors.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const [index, { name, run, expected }] of competitors.entries()) {
      const start = process.hrtime.bigint();
      let nanoseconds = 0;
      let runs = 0;
      for (; nanoseconds < MIN_TIME; runs++) {
        const allowed = await run();
        nanoseconds = Number(process.hrtime.bigint() - start);
        if (allowed !== expected) throw new Error(`${name} allowed ${allowed} URLs, not ${expected}`);
      }
      if (round >= 0) times[index].push(nanoseconds / runs / questions);
    }
  }
  const base = quantile(times[0], 0.5);
  for (const [index, { name, expected }] of competitors.entries()) {
    const [low, median, high] = [0.1, 0.5, 0.9].map((q) => quantile(times[index], q));
    const spread = `(${formatTime(low)} to ${formatTime(high)})`;
    console.log(
      `${name.padEnd(38)} ${formatTime(median).padStart(9)} ${spread.padEnd(26)} x ${(median / base).toFixed(2)}  ${expected} allowed`,
    );
  }
  return base;
}

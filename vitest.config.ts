import { defineConfig } from 'vitest/config';

// The packages' own exports condition lets tests run the sources, without a build in between.
const conditions = ['@maycrawl/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    // One file at a time would leave a core idle where there are two: most tests wait for a process, a socket or a clock.
    maxWorkers: 2,
    // Only a test that hangs exceeds this, also on a slow and busy machine. A long fuzzing run has no limit.
    testTimeout: process.env['FUZZ_RUNS'] === undefined ? 300_000 : 0,
  },
});

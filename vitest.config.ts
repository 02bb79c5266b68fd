import { defineConfig } from 'vitest/config';

// The packages' own exports condition lets tests run the sources, without a build in between.
const conditions = ['@maycrawl/source'];

const TESTS = 'packages/*/test/**/*.test.ts';
const LONG_TESTS = 'packages/*/test/**/*.long.test.ts';
const SOAK_TESTS = 'packages/*/test/**/*.soak.test.ts';
// Tests that replace modules, change all that is reachable from a value, or set the time zone.
const ISOLATED_TESTS = 'packages/*/test/**/*.isolated.test.ts';

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // `npm test` runs the quick files, in which every layer has tests; `npm run test:all` the long ones, and `npm run soak` the others.
    projects: [
      {
        extends: true,
        // Files share the modules that a worker loaded: loading them for each file takes longer than most of the tests.
        test: {
          name: 'quick',
          include: [TESTS],
          exclude: [LONG_TESTS, SOAK_TESTS, ISOLATED_TESTS],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: [ISOLATED_TESTS] } },
      {
        extends: true,
        test: { name: 'long', include: [LONG_TESTS], exclude: [ISOLATED_TESTS], isolate: false },
      },
      { extends: true, test: { name: 'soak', include: [SOAK_TESTS], isolate: false } },
    ],
    setupFiles: ['scripts/test-setup.ts'],
    // One file at a time would leave a core idle where there are two: most tests wait for a process, a socket or a clock.
    maxWorkers: 2,
    expect: { poll: { timeout: 90_000 } },
    // Only a test that hangs exceeds these times, also on a slow and busy machine. A long fuzzing run has no limit.
    testTimeout: process.env['FUZZ_RUNS'] === undefined ? 300_000 : 0,
    hookTimeout: 300_000,
  },
});

import { defineConfig } from 'vitest/config';

// The packages' own exports condition lets tests run the sources, without a build in between.
const conditions = ['@maycrawl/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    testTimeout: 60_000,
  },
});

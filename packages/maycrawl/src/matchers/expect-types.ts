// The types of the matchers for `expect`. Neither test runner is a dependency.
import type { RobotsMatchers } from './matchers.ts';

declare global {
  /** Vitest has this namespace, too, and `@types/jest` has it for Jest. */
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: vitest and @types/jest declare `T = {}`, and all declarations of an interface must have the same type parameters.
    interface Matchers<R, T = {}> extends RobotsMatchers<R, T> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: @ts-expect-error would itself be an error where the module is installed.
/** @ts-ignore: `@jest/globals` has this module. Without it the declaration has no target, and must not break a build with vitest. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends RobotsMatchers<R, T> {}
}

// The types of the matchers for `expect`. Neither test runner is a dependency.
import type { RobotsMatchers } from './matchers.ts';

declare global {
  /** Vitest has this namespace, too, and `@types/jest` has it for Jest. */
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: all declarations of an interface need the same type parameters.
    interface Matchers<R, T = {}> extends RobotsMatchers<R, T> {}
  }
}

// biome-ignore lint/suspicious/noTsIgnore: an error is not expected where the module is installed.
/** @ts-ignore: the module of `@jest/globals`, if it is installed. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends RobotsMatchers<R, T> {}
}

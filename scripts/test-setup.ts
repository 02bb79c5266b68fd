import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { runAfterFile } from './after-file.ts';

// With WITHOUT_WEBASSEMBLY=1 the tests run as in a runtime that does not allow WebAssembly.
if (process.env['WITHOUT_WEBASSEMBLY'] === '1') Reflect.deleteProperty(globalThis, 'WebAssembly');

// The seed of all property tests is fixed, so that runs are repeatable. `FUZZ_SEED` sets another one.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 20261121) });

// Vitest compares bytes one by one, as properties: minutes for files of some megabytes.
expect.addEqualityTesters([
  (a: unknown, b: unknown): boolean | undefined =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor
      ? Buffer.compare(a, b) === 0
      : undefined,
]);

afterAll(runAfterFile);

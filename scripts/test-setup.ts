import { afterAll } from 'vitest';
import { runAfterFile } from './after-file.ts';

// With WITHOUT_WEBASSEMBLY=1 the tests run as in a runtime that does not allow WebAssembly.
if (process.env['WITHOUT_WEBASSEMBLY'] === '1') Reflect.deleteProperty(globalThis, 'WebAssembly');

afterAll(runAfterFile);

import { expect, test, vi } from 'vitest';
import { findInputs } from '../../../src/census/inputs/find-inputs.ts';

/** More than the arguments that one call can take. */
const FILES = vi.hoisted(() => 150_000);

vi.mock('node:fs/promises', () => {
  const createEntry = (name: string, isFolder: boolean) => ({ name, isDirectory: () => isFolder });
  const files = Array.from({ length: FILES }, (_, index) => createEntry(`${index}.txt`, false));
  return {
    readdir: async (path: string) => (path === 'sites' ? [createEntry('nested', true)] : files),
    stat: async (path: string) => ({ isDirectory: () => path === 'sites', isFile: () => true, size: 1 }),
  };
});

test('a folder can contain more files than a call can have arguments', async () => {
  expect(await findInputs(['sites'])).toHaveLength(FILES);
});

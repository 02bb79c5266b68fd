// Folders of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates a folder that is deleted after the tests of the file or of the `describe` that calls this. */
export function createTestFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `maycrawl-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// Folders of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from '../../../../scripts/after-file.ts';

/** Creates a folder that is deleted after the tests of the file. */
export function createTestFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `maycrawl-${name}-`));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

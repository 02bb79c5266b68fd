/**
 * Builds the pages with Vite, for the tests and for the scripts that take pictures.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A page in a temporary folder. */
export interface BuiltPage {
  /** Absolute path. */
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** The page of a report. */
export interface BuiltReport<Source> extends BuiltPage {
  /** Writes a report with the page. @returns its path. */
  readonly write: (name: string, source: Source) => Promise<string>;
}

/**
 * Builds into a new folder.
 *
 * @param page - `pages`: the pages of the service; `report`: that of the report of an audit; `census`: that of the report of a census.
 * @defaultValue `pages`
 */
export async function buildPage(page: 'pages' | 'report' | 'census' = 'pages'): Promise<BuiltPage> {
  const folder = await mkdtemp(join(tmpdir(), `maycrawl-${page}-`));
  await build({
    root: ROOT,
    configFile: join(ROOT, page === 'pages' ? 'vite.config.ts' : 'vite.report.config.ts'),
    mode: page === 'census' ? 'census' : 'production',
    logLevel: 'warn',
    build: { outDir: folder },
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

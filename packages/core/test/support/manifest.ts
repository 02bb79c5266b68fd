/**
 * The manifest of the conformance vectors: the files, the ids of their rows, and the tests that run them. What the manifest names and
 * what is there are compared whenever vectors are read, so that a renamed file, row or test is an error and not a test less.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The folder of the project. */
export const ROOT: URL = new URL('../../../../', import.meta.url);
const DIRECTORY = new URL('conformance/', ROOT);

/** The forms of rows; each has a schema and tests of its own. */
export type VectorForm = 'decision' | 'preferences' | 'fetching';

interface Manifest {
  readonly forms: Readonly<
    Record<VectorForm, { readonly schema: string; readonly tests: readonly string[] }>
  >;
  readonly files: Readonly<Record<string, ManifestFile>>;
}

interface ManifestFile {
  readonly form: VectorForm;
  /** Ids in the order of the rows: `a-001..012` are twelve. */
  readonly ids: readonly string[];
  /** The number of rows that expect an error instead of a verdict. */
  readonly errors?: number;
}

/** Reads a file of the folder `conformance`. */
export function readConformanceFile(name: string): string {
  return readFileSync(new URL(name, DIRECTORY), 'utf8');
}

/** Returns the names of all vector files in the folder. */
export function listVectorFiles(): string[] {
  return readdirSync(DIRECTORY).filter((name) => name.endsWith('.jsonl'));
}

/**
 * Reads the manifest.
 *
 * @throws {Error} if a test that it names is not one that Vitest runs.
 */
export function readManifest(): Manifest {
  const manifest = JSON.parse(readConformanceFile('manifest.json')) as Manifest;
  for (const path of Object.values(manifest.forms).flatMap(({ tests }) => tests)) {
    if (!/^packages\/[^/]+\/test\/.+\.test\.ts$/.test(path) || !existsSync(new URL(path, ROOT)))
      throw new Error(`conformance/manifest.json names ${path}, which is not a test of this project`);
  }
  return manifest;
}

/** Returns the vector files of a form. */
export function getVectorFiles(form: VectorForm): string[] {
  return Object.entries(readManifest().files)
    .filter(([, file]) => file.form === form)
    .map(([name]) => name);
}

/** Returns the ids that the manifest names for a file, in order. */
export function getVectorIds(file: string): string[] {
  return expandIds(getManifestFile(file).ids);
}

/** Returns the number of rows of a file that expect a verdict. */
export function countVerdicts(file: string): number {
  return getVectorIds(file).length - (getManifestFile(file).errors ?? 0);
}

/**
 * Reads the rows of a file.
 *
 * @throws {Error} if they are not the rows that the manifest names.
 */
export function readRows<T extends { readonly id: string }>(file: string): T[] {
  const rows = readConformanceFile(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
  const ids = getVectorIds(file);
  const index = Array.from({ length: Math.max(rows.length, ids.length) }, (_, at) => at).find(
    (at) => rows[at]?.id !== ids[at],
  );
  if (index !== undefined) {
    const [actual, expected] = [rows[index]?.id ?? 'missing', ids[index] ?? 'no row'];
    throw new Error(`conformance/${file}, row ${index + 1} is ${actual}; the manifest names ${expected}`);
  }
  return rows;
}

function getManifestFile(file: string): ManifestFile {
  const entry = readManifest().files[file];
  if (entry === undefined) throw new Error(`conformance/manifest.json does not name ${file}`);
  return entry;
}

/** Expands the ranges in a list of ids. */
export function expandIds(ids: readonly string[]): string[] {
  return ids.flatMap(expandRange);
}

function expandRange(range: string): string[] {
  const [, prefix = '', first = '', last = ''] = /^(.*-)(\d+)\.\.(\d+)$/.exec(range) ?? [];
  if (prefix === '') return [range];
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, at) => prefix + String(Number(first) + at).padStart(first.length, '0'),
  );
}

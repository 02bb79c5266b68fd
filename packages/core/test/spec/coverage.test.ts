/**
 * The conformance vectors as a whole: nothing is missing, nothing has another name, and every row of the tables of the documents has
 * vectors. The tests that run the vectors count them (conformance/manifest.json).
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  expandIds,
  getVectorFiles,
  getVectorIds,
  listVectorFiles,
  ROOT,
  readConformanceFile,
  readManifest,
  readRows,
} from '../support/manifest.ts';

interface Document {
  readonly profile?: string;
  readonly sections: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

interface Row {
  readonly id: string;
  readonly profile?: string;
  readonly error?: string;
}

const manifest = readManifest();
const FILES = Object.keys(manifest.files);
const vectors = new Map(FILES.flatMap((file) => readRows<Row>(file)).map((row) => [row.id, row]));
const documents = JSON.parse(readConformanceFile('coverage.json')) as Record<string, Document>;

/** The numbers of rows of the tables, by document. */
const ROWS: Readonly<Record<string, readonly number[]>> = {
  google: [8, 13, 6, 5, 8, 7, 9, 3, 14, 6],
  'google-2022': [8, 8, 2, 2, 2, 7, 6, 9, 6],
  'google-2013': [8, 6, 2, 2, 2, 4, 6, 8, 5],
  rfc9309: [7, 8, 10, 5, 2, 3, 10, 3, 1, 5],
  'experiment-2011': [4],
  defects: [6, 11],
};

/** A vector, or a test as `FILE#TITLE`. */
const isTest = (name: string): boolean => name.includes('.test.ts#');

/** Returns whether a test exists, with this title. */
function hasTest(name: string): boolean {
  const [path = '', title = ''] = name.split('#');
  const url = new URL(path, ROOT);
  return existsSync(url) && readFileSync(url, 'utf8').includes(title);
}

describe('the manifest', () => {
  test('names every vector file, and no other one', () => {
    expect([...FILES].sort()).toEqual(listVectorFiles().sort());
  });

  test('names each id once', () => {
    expect(vectors.size).toBe(FILES.flatMap(getVectorIds).length);
  });

  test('has the number of rows that expect an error', () => {
    for (const file of getVectorFiles('decision')) {
      const errors = readRows<Row>(file).filter(({ error }) => error !== undefined).length;
      expect([file, manifest.files[file]?.errors ?? 0]).toEqual([file, errors]);
    }
  });

  test('names tests none of which is disabled', () => {
    for (const path of Object.values(manifest.forms).flatMap(({ tests }) => tests)) {
      const source = readFileSync(new URL(path, ROOT), 'utf8');
      expect([path, /\b(?:describe|test|it)\.(?:skip|only|todo|runIf|skipIf|fails)\b/.exec(source)]).toEqual([
        path,
        null,
      ]);
    }
  });
});

describe('the coverage table', () => {
  test('has every document, section and row', () => {
    const counts = Object.entries(documents).map(([name, { sections }]) => [
      name,
      Object.values(sections).map((rows) => Object.keys(rows).length),
    ]);
    expect(Object.fromEntries(counts)).toEqual(ROWS);
  });

  describe.each(Object.entries(documents))('%s', (_name, { profile, sections }) => {
    test.each(Object.entries(sections))('every row of "%s" has a vector or a test', (_section, rows) => {
      for (const [row, names] of Object.entries(rows)) {
        expect(names.length, row).toBeGreaterThan(0);
        for (const name of expandIds(names)) {
          const exists = isTest(name) ? hasTest(name) : vectors.has(name);
          expect(exists, `${row}: ${name}`).toBe(true);
          // The table of a document is about the profile of that document.
          if (profile !== undefined) expect(vectors.get(name)?.profile ?? 'google', name).toBe(profile);
        }
      }
    });
  });
});

// Segments of a run: parts of a site that are counted on their own. Patterns of the user define them, or the folders with the most URLs.
// Each URL belongs to one segment.
import { createPathTest } from '../path-patterns.ts';
import type { RunStore } from '../run/run-store.ts';
import { getSettings, type SegmentPattern } from '../run/settings.ts';
import { FolderCounter, getFolder } from './folders.ts';

/** The segment of URLs that belong to no other one. */
export const OTHER_SEGMENT = '(other)';

export interface Segments {
  readonly kind: 'folders' | 'patterns';
  /** Names, in the order of a table. */
  readonly names: readonly string[];
  /** Returns the index of the segment of a URL. */
  readonly find: (url: string) => number;
}

/**
 * Returns the segments of a judged run.
 *
 * @param patterns - instead of those in the settings of the run; an empty list for folders.
 * @throws {RangeError} for a pattern that can never match.
 */
export function getSegments(run: RunStore, patterns?: readonly SegmentPattern[]): Segments {
  const chosen = patterns ?? getSettings(run).segments ?? [];
  return chosen.length > 0 ? createPatternSegments(chosen) : createFolderSegments(run);
}

/** Creates segments by patterns: the first one that matches counts. @throws {RangeError} for a pattern that can never match. */
export function createPatternSegments(patterns: readonly SegmentPattern[]): Segments {
  const names = [...new Set(patterns.map(({ name }) => name))];
  const tests = names.map((name) =>
    createPathTest(patterns.filter((each) => each.name === name).map(({ pattern }) => pattern)),
  );
  return {
    kind: 'patterns',
    names: [...names, OTHER_SEGMENT],
    find: (url) => {
      const index = tests.findIndex((matches) => matches?.(url));
      return index < 0 ? names.length : index;
    },
  };
}

function createFolderSegments({ rows }: RunStore): Segments {
  const counter = new FolderCounter();
  for (const { url } of rows.judgedUrls()) counter.add(url);
  const folders = counter.getLargest();
  const indexes = new Map(folders.map((folder, index) => [folder, index]));
  const origins = new Set(folders.map((folder) => getFolder(folder, 0)));
  // The origin is of interest only if there are several.
  const names = folders.map((folder) => (origins.size > 1 ? folder : folder.replace(/^\w+:\/\/[^/]*/, '')));
  return {
    kind: 'folders',
    names: [...names, OTHER_SEGMENT],
    find: (url) => {
      for (let depth = FolderCounter.MAX_DEPTH; depth >= 0; depth--) {
        const index = indexes.get(getFolder(url, depth) ?? '');
        if (index !== undefined) return index;
      }
      return folders.length;
    },
  };
}

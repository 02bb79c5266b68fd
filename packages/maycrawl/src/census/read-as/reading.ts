/**
 * Readings of other programs and studies: what a robots.txt says if it is read as they read it. A researcher sees with them how much a
 * result depends on the parser.
 *
 * @module
 */

/** Which URLs an agent may fetch. */
export type Access = 'all' | 'none' | 'some';

/** A file, as another program reads it. */
export interface ReadFile {
  /**
   * Returns which URLs an agent may fetch.
   *
   * @param agent - a product token.
   * @param probes - paths that stand for all others, for readings that decide about URLs and do not classify files.
   */
  classify(agent: string, probes: readonly string[]): Access;
  /**
   * Whether an agent may fetch a path; missing for readings that only classify files.
   *
   * @param agent - a product token.
   * @param path - path and query in request form.
   */
  isAllowed?(agent: string, path: string): boolean;
}

/** A reading. */
export interface OtherReading {
  /** As an option and in tables. */
  readonly name: string;
  /** A sentence for people. */
  readonly description: string;
  /** Where the behaviour was read. */
  readonly source: string;
  /** Reads a file. `null` if the program fails on it. */
  read(content: Uint8Array): ReadFile | null;
}

/** Classifies a file by the verdicts on paths. */
export function classifyByProbes(isAllowed: (path: string) => boolean, probes: readonly string[]): Access {
  const allowed = probes.filter(isAllowed).length;
  if (allowed === probes.length) return 'all';
  return allowed === 0 ? 'none' : 'some';
}

/** Returns a file that decides about URLs. */
export function createDecidingFile(isAllowed: (agent: string, path: string) => boolean): ReadFile {
  return {
    isAllowed,
    classify: (agent, probes) => classifyByProbes((path) => isAllowed(agent, path), probes),
  };
}

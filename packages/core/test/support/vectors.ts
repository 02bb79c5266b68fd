import { getVectorFiles, readConformanceFile, readRows } from './manifest.ts';

/** A row of a file in conformance/; the fields are described in conformance/README.md. */
export interface Vector {
  readonly id: string;
  readonly source?: string;
  readonly robots?: string;
  readonly robots_base64?: string;
  readonly robots_url?: string;
  readonly agents?: readonly string[];
  readonly crawler?: string;
  readonly url: string;
  readonly profile?: string;
  readonly normalize?: boolean;
  readonly allowed?: boolean;
  readonly line?: number;
  readonly error?: string;
}

export const VECTOR_FILES: readonly string[] = getVectorFiles('decision');

export function readVectors(file: string): Vector[] {
  return readRows<Vector>(file);
}

/** A row of preferences.jsonl. */
export interface PreferenceVector {
  readonly id: string;
  readonly robots?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly metas?: readonly (readonly [name: string, content: string])[];
  readonly tdmrep?: string;
  readonly rsl?: readonly { readonly url: string | null; readonly text: string }[];
  readonly licenses?: readonly string[];
  readonly inline_rsl?: readonly string[];
  readonly policy_tokens?: readonly string[];
  readonly agent: string;
  readonly url: string;
  readonly crawl: string;
  /** The value of each purpose. A purpose that is missing in a report is `unknown`. */
  readonly expect: Readonly<Record<string, string>>;
  /** The values of purposes by other readings, where they differ. */
  readonly readings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function readPreferenceVectors(): PreferenceVector[] {
  return readRows<PreferenceVector>('preferences.jsonl');
}

export function getContent({ robots, robots_base64 }: Vector): Uint8Array {
  return robots_base64 === undefined
    ? new TextEncoder().encode(robots ?? '')
    : new Uint8Array(Buffer.from(robots_base64, 'base64'));
}

/** Reads the ids of vectors that are expected to fail, with the reason. A vector on this list that passes fails the suite. */
export function readSkips(): ReadonlyMap<string, string> {
  const skips = JSON.parse(readConformanceFile('skip.json')) as Record<string, string>;
  return new Map(Object.entries(skips));
}

export function readSchema(name: string = 'schema.json'): object {
  return JSON.parse(readConformanceFile(name)) as object;
}

import { readdirSync, readFileSync } from 'node:fs';

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

const DIRECTORY = new URL('../../../../conformance/', import.meta.url);

export const VECTOR_FILES: readonly string[] = readdirSync(DIRECTORY).filter((name) =>
  name.endsWith('.jsonl'),
);

export function readVectors(file: string): Vector[] {
  const lines = readFileSync(new URL(file, DIRECTORY), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Vector);
}

export function getContent({ robots, robots_base64 }: Vector): Uint8Array {
  return robots_base64 === undefined
    ? new TextEncoder().encode(robots ?? '')
    : new Uint8Array(Buffer.from(robots_base64, 'base64'));
}

/** Reads the ids of vectors that are expected to fail, with the reason. A vector on this list that passes fails the suite. */
export function readSkips(): ReadonlyMap<string, string> {
  const skips = JSON.parse(readFileSync(new URL('skip.json', DIRECTORY), 'utf8')) as Record<string, string>;
  return new Map(Object.entries(skips));
}

export function readSchema(): object {
  return JSON.parse(readFileSync(new URL('schema.json', DIRECTORY), 'utf8')) as object;
}

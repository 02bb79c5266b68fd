import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toMembers, writeRobotsTxt } from './warc.ts';

/** The files of a census. */
export const CENSUS_FILES: readonly string[] = ['captures.parquet', 'census.json', 'files.parquet'];

/**
 * Writes archives, in which half of the files are repeated, and a list of their paths.
 *
 * @returns the path of the list.
 */
export function writeCrawl(folder: string, archives: number, responses: number): string {
  mkdirSync(folder, { recursive: true });
  const paths = Array.from({ length: archives }, (_, archive) => {
    const path = join(folder, `crawl-${String(archive).padStart(3, '0')}.warc.gz`);
    const records = Array.from({ length: responses }, (_, index) => {
      const number = (archive * responses + index) % Math.ceil((archives * responses) / 2);
      const rules = `User-agent: *\nDisallow: /${number}/*.php$\nDisallow: /*/${number}\n`;
      return writeRobotsTxt(`site-${archive}-${index}.example`, rules);
    });
    writeFileSync(path, toMembers(records));
    return path;
  });
  const list = join(folder, 'paths.lst');
  writeFileSync(list, `${paths.join('\n')}\n`);
  return list;
}

/** The process of an unfinished table in a folder: temporary names end with its id. */
export function findWriter(folder: string): number | undefined {
  for (const name of readFolder(folder)) {
    const [, id] = /\.(\d+)-[0-9a-f]+\.tmp$/.exec(name) ?? [];
    if (id !== undefined) return Number(id);
  }
  return undefined;
}

/** Reads the names in a folder, sorted; empty if there is no folder. */
export function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Reads the files of a census, and checks that there are no others. @throws if there are. */
export function readCensus(folder: string): Readonly<Record<string, Buffer>> {
  const names = readFolder(folder);
  if (names.join() !== CENSUS_FILES.join()) throw new Error(`${folder} has ${names.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

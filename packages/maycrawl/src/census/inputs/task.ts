// Tasks: parts of the input that one thread reads.

import type { FetchedSite } from './sites/fetch-sites.ts';

/** The format of an input. */
export type InputFormat = 'warc' | 'robots-txt' | 'ndjson' | 'tar' | 'parquet' | 'site';

/** A file, and what it contains. */
export interface InputFile {
  /** A path, a URL, `-` for standard input, or the origin of a site whose robots.txt is fetched. */
  readonly path: string;
  readonly format: InputFormat;
  /** Length in bytes; 0 if it is unknown. */
  readonly bytes: number;
}

/** Files that are read together: one archive, or several files or sites of one robots.txt each. */
export interface Task {
  readonly files: readonly InputFile[];
  /** What was fetched of sites. */
  readonly fetched?: readonly FetchedSite[];
}

/** Whether an input has one robots.txt, so that several of them are read together. */
export function isSmall(format: InputFormat): boolean {
  return format === 'robots-txt' || format === 'site';
}

/** Files of one robots.txt each that a task has. */
const FILES_PER_TASK = 256;

/** Makes tasks, in the order of the files. */
export function toTasks(files: readonly InputFile[]): Task[] {
  const tasks: { readonly files: InputFile[] }[] = [];
  let last: { readonly files: InputFile[] } | undefined;
  for (const file of files) {
    const joins =
      isSmall(file.format) && last?.files[0]?.format === file.format && last.files.length < FILES_PER_TASK;
    if (last !== undefined && joins) last.files.push(file);
    else {
      last = { files: [file] };
      tasks.push(last);
    }
  }
  return tasks;
}

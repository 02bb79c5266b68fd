/**
 * Tasks: parts of the input that one thread reads.
 *
 * @module
 */

/** The format of an input. */
export type InputFormat = 'warc' | 'robots-txt' | 'ndjson' | 'tar' | 'parquet';

/** A file, and what it contains. */
export interface InputFile {
  /** A path, or `-` for standard input. */
  readonly path: string;
  readonly format: InputFormat;
  /** Length in bytes; 0 if it is unknown. */
  readonly bytes: number;
}

/** Files that are read together: one archive, or several files of one robots.txt each. */
export interface Task {
  readonly files: readonly InputFile[];
}

/** Files of one robots.txt each that a task has. */
const FILES_PER_TASK = 256;

/** Makes tasks, in the order of the files. */
export function toTasks(files: readonly InputFile[]): Task[] {
  const tasks: { readonly files: InputFile[] }[] = [];
  let last: { readonly files: InputFile[] } | undefined;
  for (const file of files) {
    const joins =
      file.format === 'robots-txt' &&
      last?.files[0]?.format === 'robots-txt' &&
      last.files.length < FILES_PER_TASK;
    if (last !== undefined && joins) last.files.push(file);
    else {
      last = { files: [file] };
      tasks.push(last);
    }
  }
  return tasks;
}

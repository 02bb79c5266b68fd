// The reports in a folder: `NAME/report.html`, as `audit --out` writes it, or `NAME.html`. Symbolic links are not followed.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { timeSlices } from '@maycrawl/client/internal';
import type { NamedRunPoint } from '../../api/audits-api.ts';
import { readRunPoints } from '../../audit/report/trend/read-trend.ts';
import { Problem } from '../http/problems.ts';

/** Entries of the folder that are read together. */
const BATCH = 64;
/** Milliseconds for which a list is used again: creating it reads the whole folder. */
const LIST_TIME = 2_000;

export interface AuditReport {
  readonly name: string;
  readonly bytes: number;
  readonly writtenAt: Date;
}

export class ReportFolder {
  readonly #path: string;
  readonly #reports: RecentResult<readonly AuditReport[]>;
  readonly #points: RecentResult<readonly NamedRunPoint[]>;

  constructor(path: string) {
    this.#path = path;
    this.#reports = new RecentResult(() => this.#read());
    this.#points = new RecentResult(() => readRunPoints(path));
  }

  /** Lists all reports, the newest first. @throws {Problem} `not-found` if the folder cannot be read. */
  async list(): Promise<readonly AuditReport[]> {
    return this.#reports.get().catch(refuseFolder);
  }

  /** Lists the summaries of all runs, the oldest first. @throws {Problem} as {@link list} does. */
  async listPoints(): Promise<readonly NamedRunPoint[]> {
    return this.#points.get().catch(refuseFolder);
  }

  /** Opens the report with a name, which the caller closes; `undefined` if there is none. @throws {Problem} as {@link list} does. */
  async open(name: string): Promise<{ readonly file: FileHandle; readonly bytes: number } | undefined> {
    const root = await realpath(this.#path).catch(refuseFolder);
    for (const path of getPaths(name)) {
      // Neither the file that is opened may be a link, nor the folder above it.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const file = await open(join(root, path), flags).catch(() => undefined);
      if (file === undefined) continue;
      const found = await file.stat();
      const isInside = (await realpath(join(root, path)).catch(() => '')) === join(root, path);
      if (isInside && found.isFile() && found.size > 0) return { file, bytes: found.size };
      await file.close();
    }
    return undefined;
  }

  async #read(): Promise<AuditReport[]> {
    // A folder takes precedence over a file with the same name, so each name occurs once.
    const reports = new Map<string, AuditReport>();
    let names: string[] = [];
    const readBatch = async (): Promise<void> => {
      for (const report of await Promise.all(names.map((name) => this.#find(name))))
        if (report !== undefined) reports.set(report.name, report);
      names = [];
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    };
    for await (const entry of await opendir(this.#path)) {
      if (entry.isDirectory()) names.push(entry.name);
      else if (entry.isFile() && entry.name.endsWith('.html'))
        names.push(entry.name.slice(0, -'.html'.length));
      if (names.length >= BATCH) await readBatch();
    }
    await readBatch();
    return [...reports.values()].sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  }

  async #find(name: string): Promise<AuditReport | undefined> {
    for (const path of getPaths(name)) {
      const found = await lstat(join(this.#path, path)).catch(() => undefined);
      if (found?.isFile() && found.size > 0) return { name, bytes: found.size, writtenAt: found.mtime };
    }
    return undefined;
  }
}

/** A result that is used again for a short time. */
class RecentResult<T> {
  readonly #create: () => Promise<T>;
  #last: { readonly at: number; readonly result: Promise<T> } | undefined;

  constructor(create: () => Promise<T>) {
    this.#create = create;
  }

  get(): Promise<T> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.at >= LIST_TIME)
      this.#last = { at: now, result: this.#create() };
    return this.#last.result;
  }
}

/** Someone may remove the folder while the service runs. */
function refuseFolder(error: NodeJS.ErrnoException): never {
  if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) throw error;
  throw new Problem('not-found', 'the folder of reports cannot be read');
}

/** Returns where the report with a name may be, in the folder. */
function getPaths(name: string): readonly string[] {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) return [];
  return [join(name, 'report.html'), `${name}.html`];
}

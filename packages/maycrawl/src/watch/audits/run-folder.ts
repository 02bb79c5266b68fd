// The folder of the runs of scheduled audits: a folder for each run, with its file, its report and its summary. The same layout as that
// of `audit --out FOLDER/NAME`, so that `serve --audits FOLDER` shows them.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '@maycrawl/client/internal';
import { getSiteName, readRunPoints } from '../../audit/report/trend/read-trend.ts';
import { SUMMARY_FILE } from '../../audit/report/trend/run-point.ts';

const RUN_FILE = 'run.sqlite';
/** The end of the names of scheduled runs. Other runs in the folder are not deleted. */
const NAME_END = /-\d{8}T\d{6}Z$/;

/** Returns the name of a run: `example.com-20261122T030000Z`. @param at - its start, in milliseconds since 1970. */
export function createRunName(start: string, at: number): string {
  const { protocol, host } = new URL(start);
  const scheme = protocol === 'https:' ? '' : `${protocol.slice(0, -1)}-`;
  const site = host.replace(/[^a-z0-9.-]+/g, '-');
  return `${scheme}${site}-${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

export class RunFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder of a run, if it does not exist. @returns the path of the file of the run. */
  async create(name: string): Promise<string> {
    makePrivateFolder(join(this.path, name));
    return this.getFile(name);
  }

  getFile(name: string): string {
    return join(this.path, name, RUN_FILE);
  }

  getSummary(name: string): string {
    return join(this.path, name, SUMMARY_FILE);
  }

  has(name: string): boolean {
    return existsSync(this.getFile(name));
  }

  /** Finds the runs of a site whose results count, without one of them, the newest first. */
  async findBaselines(start: string, except: string): Promise<string[]> {
    const points = await readRunPoints(this.path);
    const usable = points.filter(
      (each) =>
        getSiteName(each) === start &&
        each.state !== 'unfinished' &&
        each.name !== except &&
        this.has(each.name),
    );
    return usable.map(({ name }) => name).reverse();
  }

  /**
   * Deletes old runs of a site but their summaries, which are the trend. The last run whose results count stays. Runs that never ended have
   * no summary, and are deleted.
   *
   * @param keep - number of runs that stay.
   * @returns the number of deleted runs.
   */
  async prune(start: string, keep: number): Promise<number> {
    const points = (await readRunPoints(this.path)).filter(
      (each) => getSiteName(each) === start && NAME_END.test(each.name) && this.has(each.name),
    );
    const baseline = points.findLast(({ state }) => state !== 'unfinished');
    const old = points.slice(0, Math.max(0, points.length - keep)).filter((each) => each !== baseline);
    for (const { name } of old) {
      const files = await readdir(join(this.path, name));
      for (const file of files.filter((each) => each !== SUMMARY_FILE))
        await rm(join(this.path, name, file), { force: true });
    }
    return old.length + (await this.#deleteLeftovers(start, points.at(-keep)?.name));
  }

  /** Deletes runs that never ended, if they are older than a run that stays: another process may have a newer one open. */
  async #deleteLeftovers(start: string, oldest: string | undefined): Promise<number> {
    if (oldest === undefined) return 0;
    const site = createRunName(start, 0).replace(NAME_END, '');
    const leftovers = (await readdir(this.path)).filter(
      (name) =>
        NAME_END.test(name) &&
        name.replace(NAME_END, '') === site &&
        getTime(name) < getTime(oldest) &&
        !existsSync(this.getSummary(name)),
    );
    for (const name of leftovers) await rm(join(this.path, name), { recursive: true, force: true });
    return leftovers.length;
  }
}

function getTime(name: string): string {
  return NAME_END.exec(name)?.[0] ?? '';
}

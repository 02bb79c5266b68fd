// Tasks in the order of the inputs, those of sites with what was fetched.
import { type InputFile, type Task, toTasks } from '../task.ts';
import type { FetchedSite, SiteOptions } from './fetch-sites.ts';

/** How the sites of tasks are fetched. */
export interface SiteTasksOptions {
  /** The name of the profile. */
  readonly profile: string;
  /** @defaultValue sites are an error */
  readonly sites?: SiteOptions | undefined;
}

/**
 * Makes tasks. Adjacent sites are fetched together, ahead of the tasks that the caller takes.
 *
 * @throws {TypeError} if there are sites, but no options for them.
 * @throws the signal's reason if it is aborted.
 */
export async function* createTasks(
  inputs: readonly InputFile[],
  { profile, sites }: SiteTasksOptions,
  signal?: AbortSignal,
): AsyncGenerator<Task> {
  let fetching: AsyncGenerator<FetchedSite> | undefined;
  try {
    for (const [index, task] of toTasks(inputs).entries()) {
      if (task.files[0]?.format !== 'site') {
        yield task;
        continue;
      }
      if (sites === undefined) throw new TypeError('there are no options to fetch sites');
      if (fetching === undefined) {
        // Loaded late: the client takes a while to load.
        const { fetchSites } = await import('./fetch-sites.ts');
        const names = inputs.filter(({ format }) => format === 'site').map(({ path }) => path);
        fetching = fetchSites(names, profile, sites, signal);
      }
      const fetched: FetchedSite[] = [];
      while (fetched.length < task.files.length) {
        const { value, done } = await fetching.next();
        if (done) throw new TypeError(`the sites of task ${index} are missing`);
        fetched.push(value);
      }
      yield { ...task, fetched };
    }
  } finally {
    await fetching?.return(undefined);
  }
}

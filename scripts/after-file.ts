// Work after the tests of a file: files share the modules of their worker, so a hook at the top of a helper would run after one file only.

const pending: (() => unknown)[] = [];

/** Registers work that runs after the tests of the file that is running, the last one first. */
export function afterFile(work: () => unknown): void {
  pending.push(work);
}

/** Runs the registered work. */
export async function runAfterFile(): Promise<void> {
  for (const work of pending.splice(0).reverse()) await work();
}

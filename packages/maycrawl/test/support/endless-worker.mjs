/** A task that is `endless` never ends. */
export function examine(task) {
  while (task === 'endless');
  return task;
}

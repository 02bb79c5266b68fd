// Groups of equal items, such as crawlers with the same results.

/** Groups items that are equal, in the order of their first ones. */
export function groupEqual<T>(items: readonly T[], isEqual: (one: T, other: T) => boolean): readonly T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const group = groups.find(([first]) => isEqual(first as T, item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

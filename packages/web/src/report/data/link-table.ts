// The links of the report, by page and by URL. They are grouped when the first list of links is shown: the report opens faster without.
import { type Columns, joinColumns, type LinkRow } from 'maycrawl/api';

export class LinkTable {
  readonly #columns: Partial<Columns<LinkRow>>;
  #byTarget: ReadonlyMap<number, readonly number[]> | undefined;
  #bySource: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(parts: readonly Columns<LinkRow>[]) {
    this.#columns = joinColumns(parts);
  }

  getLinksTo(row: number): readonly LinkRow[] {
    this.#byTarget ??= groupIndexes(this.#columns.to);
    return this.#getLinks(this.#byTarget.get(row));
  }

  getLinksFrom(row: number): readonly LinkRow[] {
    this.#bySource ??= groupIndexes(this.#columns.from);
    return this.#getLinks(this.#bySource.get(row));
  }

  #getLinks(indexes: readonly number[] = []): LinkRow[] {
    const { from = [], to = [], types = [], text = [] } = this.#columns;
    return indexes.map((index) => ({
      from: from[index] as number,
      to: to[index] as number,
      types: types[index] as number,
      text: text[index] ?? null,
    }));
  }
}

function groupIndexes(column: readonly number[] = []): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [index, row] of column.entries()) {
    const group = groups.get(row);
    if (group === undefined) groups.set(row, [index]);
    else group.push(index);
  }
  return groups;
}

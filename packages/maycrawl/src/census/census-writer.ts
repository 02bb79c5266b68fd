/**
 * Writes the files of a census to a folder: under temporary names, then under their own, the JSON file last.
 *
 * @module
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CensusSettings,
  type CensusSummary,
  formatFileName,
  type JudgedInput,
} from './census-summary.ts';
import { isSmall } from './inputs/task.ts';
import { OUTCOMES, type Outcome } from './judge/outcome.ts';
import type { Column } from './tables/column.ts';
import { ParquetTable } from './tables/parquet-table.ts';

const CAPTURES_PER_GROUP = 50_000;
const FILES_PER_GROUP = 5_000;

/** Problems of an entry that are stored, as in input-totals.ts. */
const MAX_PROBLEMS = 100;

/** The columns of both tables. */
export interface CensusColumns<Capture, File> {
  readonly captures: readonly Column<Capture>[];
  readonly files: readonly Column<File>[];
}

/** The files of a census that are being written. */
export class CensusWriter<Capture, File> {
  readonly #settings: CensusSettings;
  readonly #folder: string;
  readonly #captures: ParquetTable<Capture>;
  readonly #files: ParquetTable<File>;
  readonly #inputs: JudgedInput[] = [];
  readonly #outcomes: Record<Outcome, number>;
  readonly #undecided: Record<string, number>;
  #captureCount = 0;
  #fileCount = 0;
  #inputCount = 0;
  #bytes = 0;

  /** Creates the folder, and both tables in it. @throws the error of the file system. */
  constructor(settings: CensusSettings, folder: string, columns: CensusColumns<Capture, File>) {
    this.#settings = settings;
    this.#folder = folder;
    this.#outcomes = Object.fromEntries(OUTCOMES.map((each) => [each, 0])) as Record<Outcome, number>;
    this.#undecided = Object.fromEntries(settings.agents.map((agent) => [agent, 0]));
    mkdirSync(folder, { recursive: true });
    const metadata = { maycrawl: settings.maycrawl, profile: settings.profile };
    this.#captures = new ParquetTable({
      path: join(folder, this.#name('captures', 'parquet')),
      columns: columns.captures,
      rowsPerGroup: CAPTURES_PER_GROUP,
      metadata,
    });
    this.#files = new ParquetTable({
      path: join(folder, this.#name('files', 'parquet')),
      columns: columns.files,
      rowsPerGroup: FILES_PER_GROUP,
      metadata,
    });
  }

  get progress(): Readonly<Record<'captures' | 'files' | 'inputs' | 'bytes', number>> {
    const [captures, files, inputs, bytes] = [
      this.#captureCount,
      this.#fileCount,
      this.#inputCount,
      this.#bytes,
    ];
    return { captures, files, inputs, bytes };
  }

  addCapture(row: Capture, outcome: Outcome): void {
    this.#captures.add(row);
    this.#outcomes[outcome]++;
    this.#captureCount++;
  }

  /** Adds a file. @param isUndecided - whether its class is undecided for an agent, by its place. */
  addFile(row: File, isUndecided: (agent: number) => boolean): void {
    this.#files.add(row);
    this.#fileCount++;
    for (const [index, agent] of this.#settings.agents.entries())
      if (isUndecided(index)) this.#undecided[agent] = (this.#undecided[agent] ?? 0) + 1;
  }

  /** Adds what was read of an input. Adjacent files of one robots.txt each are one entry, however tasks and parts divide them. */
  addInput(input: JudgedInput): void {
    this.#inputCount += input.count;
    this.#bytes += input.inputBytes;
    const last = this.#inputs.at(-1);
    if (last?.format === input.format && isSmall(input.format))
      this.#inputs[this.#inputs.length - 1] = combineInputs(last, input);
    else this.#inputs.push(input);
  }

  /** Gives the tables their names, removes what killed runs left, and writes the JSON file. */
  async finish(): Promise<CensusSummary> {
    const [captures, files, json] = [
      this.#name('captures', 'parquet'),
      this.#name('files', 'parquet'),
      this.#name('census', 'json'),
    ];
    // One of a census whose inputs could not be read: it does not belong to these tables.
    rmSync(join(this.#folder, json), { force: true });
    try {
      const summary: CensusSummary = {
        ...this.#settings,
        captures: this.#captureCount,
        files: this.#fileCount,
        outcomes: this.#outcomes,
        undecided: this.#undecided,
        tables: {
          captures: { file: captures, ...this.#captures.finish() },
          files: { file: files, ...this.#files.finish() },
        },
        inputs: this.#inputs,
      };
      // Before the JSON file: a run that is killed after it is complete, and no later run would remove them.
      removeUnfinished(this.#folder, [captures, files, json]);
      await writeDurably(join(this.#folder, json), `${JSON.stringify(summary, undefined, 2)}\n`);
      return summary;
    } catch (error) {
      // Without the JSON file, tables that have their names are useless.
      for (const name of [captures, files]) rmSync(join(this.#folder, name), { force: true });
      throw error;
    }
  }

  /** Removes the unfinished tables. */
  discard(): void {
    this.#captures.discard();
    this.#files.discard();
  }

  #name(table: string, extension: string): string {
    return formatFileName(this.#settings.part, table, extension);
  }
}

function combineInputs(first: JudgedInput, second: JudgedInput): JudgedInput {
  return {
    ...first,
    count: first.count + second.count,
    inputBytes: first.inputBytes + second.inputBytes,
    dataBytes: first.dataBytes + second.dataBytes,
    records: addCounts(first.records, second.records),
    otherUrls: first.otherUrls + second.otherUrls,
    digests: first.digests + second.digests,
    wrongDigests: first.wrongDigests + second.wrongDigests,
    problemCounts: addCounts(first.problemCounts, second.problemCounts),
    problems: [...first.problems, ...second.problems].slice(0, MAX_PROBLEMS),
  };
}

/** Adds counts by name. Names are sorted, as in input-totals.ts. */
function addCounts<Counts extends Readonly<Record<string, number>>>(first: Counts, second: Counts): Counts {
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return Object.fromEntries(names.map((name) => [name, (first[name] ?? 0) + (second[name] ?? 0)])) as Counts;
}

/** Removes what runs left that were killed. @param names - of the files of this census. */
function removeUnfinished(folder: string, names: readonly string[]): void {
  for (const file of readdirSync(folder)) {
    const [, name = ''] = /^(.*)\.\d+\.tmp$/.exec(file) ?? [];
    if (names.includes(name)) rmSync(join(folder, file), { force: true });
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // Errors of open files have no path, which messages name.
    throw Object.assign(error as Error, { path });
  }
}

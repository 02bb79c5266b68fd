// Writes the files of a census to a folder: under temporary names, then under their own, the JSON file last.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';
import { getFinalName } from '../files/temporary-name.ts';
import {
  CensusError,
  type CensusSettings,
  type CensusSummary,
  formatFileName,
  type JudgedInput,
} from './census-summary.ts';
import { isSmall } from './inputs/task.ts';
import { OUTCOMES, type Outcome } from './judge/outcome.ts';
import type { CompleteCensus } from './stored-summary.ts';
import { CAPTURE_COLUMNS, createFileColumns } from './tables/columns.ts';
import { DigestSet } from './tables/digest-set.ts';
import { createSchema, findLeaf, type TableSchema } from './tables/parquet-columns.ts';
import { ParquetTable } from './tables/parquet-table.ts';
import { getValues, type TableBatch } from './tables/table-batch.ts';

const CAPTURES_PER_GROUP = 20_000;
const FILES_PER_GROUP = 5_000;

/** Problems of an entry that are stored, as in input-totals.ts. */
const MAX_PROBLEMS = 100;

/** Numbers of files by agent. */
type Counts = Record<string, number>;

/** Where the classes for an agent are in batches, and where the undecided ones are counted. */
interface ClassPlace {
  readonly leaf: number;
  readonly agent: string;
  readonly undecided: Counts;
}

function createCounts(agents: readonly string[]): Counts {
  return Object.fromEntries(agents.map((agent) => [agent, 0]));
}

export class CensusWriter {
  readonly #settings: CensusSettings;
  readonly #folder: string;
  readonly #captures: ParquetTable;
  readonly #files: ParquetTable;
  /** The places of leaves in batches. */
  readonly #places: {
    readonly outcome: number;
    readonly digest: number;
    readonly classes: readonly ClassPlace[];
  };
  readonly #digests: DigestSet = new DigestSet();
  readonly #inputs: JudgedInput[] = [];
  readonly #outcomes: Record<Outcome, number>;
  readonly #undecided: Counts;
  readonly #undecidedReadings: Readonly<Record<string, Counts>>;
  #captureCount = 0;
  #inputCount = 0;
  #bytes = 0;

  /** Creates the folder, and both tables in it. @throws the error of the file system. */
  constructor(settings: CensusSettings, folder: string) {
    this.#settings = settings;
    this.#folder = folder;
    this.#outcomes = Object.fromEntries(OUTCOMES.map((each) => [each, 0])) as Record<Outcome, number>;
    this.#undecided = createCounts(settings.agents);
    this.#undecidedReadings = Object.fromEntries(
      settings.readAs.map((name) => [name, createCounts(settings.agents)]),
    );
    mkdirSync(folder, { recursive: true });
    const captures = createSchema(CAPTURE_COLUMNS);
    const files = createSchema(createFileColumns(settings.agents, settings.readAs, settings.lint));
    this.#places = {
      outcome: findLeaf(captures, 'outcome'),
      digest: findLeaf(files, 'digest'),
      classes: settings.agents.flatMap((agent) => [
        { leaf: findLeaf(files, 'agents', agent, 'class'), agent, undecided: this.#undecided },
        ...Object.entries(this.#undecidedReadings).map(([name, undecided]) => ({
          leaf: findLeaf(files, 'readAs', name, agent),
          agent,
          undecided,
        })),
      ]),
    };
    this.#captures = this.#createTable('captures', captures, CAPTURES_PER_GROUP);
    this.#files = this.#createTable('files', files, FILES_PER_GROUP);
  }

  #createTable(name: string, schema: TableSchema<never>, rowsPerGroup: number): ParquetTable {
    const { maycrawl, profile } = this.#settings;
    const path = join(this.#folder, this.#name(name, 'parquet'));
    return new ParquetTable({ path, schema, rowsPerGroup, metadata: { maycrawl, profile } });
  }

  get progress(): Readonly<Record<'captures' | 'files' | 'inputs' | 'bytes', number>> {
    const [captures, files, inputs, bytes] = [
      this.#captureCount,
      this.#digests.size,
      this.#inputCount,
      this.#bytes,
    ];
    return { captures, files, inputs, bytes };
  }

  /** Adds captures. @param batch - of the schema of `CAPTURE_COLUMNS`. */
  addCaptures(batch: TableBatch): void {
    this.#captures.add(batch);
    this.#captureCount += batch.count;
    for (const outcome of getValues(batch, this.#places.outcome)) this.#outcomes[outcome as Outcome]++;
  }

  /** Adds the files that are not in the table. @param batch - of the schema of `createFileColumns` with the agents and readings of the settings. */
  addFiles(batch: TableBatch): void {
    const digests = getValues(batch, this.#places.digest);
    const selection = Uint8Array.from(digests, (digest) => (this.#digests.add(digest as string) ? 1 : 0));
    this.#files.add(batch, selection);
    for (const { leaf, agent, undecided } of this.#places.classes)
      for (const [row, value] of getValues(batch, leaf).entries())
        if (value === 'undecided' && selection[row] === 1) undecided[agent] = (undecided[agent] ?? 0) + 1;
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

  /**
   * Gives the tables their names, removes what killed runs left, and writes the JSON file.
   *
   * @param former - a census whose inputs could not be read, which this one replaces.
   * @throws {CensusError} if another process completes the same census at the same time.
   * @throws the error of the file system: then no file remains.
   */
  async finish(former?: CompleteCensus): Promise<CensusSummary> {
    const [captures, files, json] = [
      this.#name('captures', 'parquet'),
      this.#name('files', 'parquet'),
      this.#name('census', 'json'),
    ];
    // It does not belong to these tables. Without a former census, there is one only if another process completed the same one.
    if (former !== undefined) rmSync(join(this.#folder, json), { force: true });
    try {
      const summary: CensusSummary = {
        ...this.#settings,
        captures: this.#captureCount,
        files: this.#digests.size,
        outcomes: this.#outcomes,
        undecided: this.#undecided,
        undecidedReadings: this.#undecidedReadings,
        tables: {
          captures: { file: captures, ...this.#captures.finish() },
          files: { file: files, ...this.#files.finish() },
        },
        inputs: this.#inputs,
      };
      // Before the JSON file: a run that is killed after it is complete, and no later run would remove them.
      removeUnfinished(this.#folder, [captures, files, json]);
      await writeText(join(this.#folder, json), `${JSON.stringify(summary, undefined, 2)}\n`);
      return summary;
    } catch (error) {
      // Another process removed the temporary files as those of a killed run. The tables that have their names are its own.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new CensusError(
          `another process completes ${join(this.#folder, json)}; run the same command again`,
          { cause: error },
        );
      // Without the JSON file, tables that have their names are useless.
      for (const name of [captures, files]) rmSync(join(this.#folder, name), { force: true });
      throw error;
    }
  }

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
    const name = getFinalName(file);
    if (name !== undefined && names.includes(name)) rmSync(join(folder, file), { force: true });
  }
}

/** Writes a file. @throws {Error} with its path. */
async function writeText(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text);
  } catch (error) {
    // Errors of open files have no path, which messages name.
    throw Object.assign(error as Error, { path });
  }
}

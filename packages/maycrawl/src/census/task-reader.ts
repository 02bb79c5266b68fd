// Reads a task: its captures as rows, and the judgements of the bodies that it contains, in batches of limited size.
import { hash } from 'node:crypto';
import { type Profile, resolveProfile } from '@maycrawl/core';
import { parseUrl, removeBrackets } from '@maycrawl/core/url';
import { getDomain } from 'tldts';
import type { Capture } from './capture.ts';
import { InputTotals, type InputTotalsData } from './input-totals.ts';
import { readInput } from './inputs/read-input.ts';
import type { RemoteOptions } from './inputs/remote/remote-options.ts';
import type { FetchedSite } from './inputs/sites/fetch-sites.ts';
import type { Task } from './inputs/task.ts';
import { BodyJudge, type BodyKind, type JudgeSettings } from './judge/body-judge.ts';
import { getOutcome, hasFile } from './judge/outcome.ts';
import { resolveTarget } from './judge/redirect-target.ts';
import { CAPTURE_COLUMNS, type CaptureRow, createFileColumns, type FileRow } from './tables/columns.ts';
import { createSchema, type TableSchema } from './tables/parquet-columns.ts';
import { createBatch, type TableBatch } from './tables/table-batch.ts';

/** Digests of bodies that are not judged again. */
const MAX_KNOWN = 100_000;

const CAPTURE_SCHEMA: TableSchema<CaptureRow> = createSchema(CAPTURE_COLUMNS);

const MAX_CAPTURES = 2_000;
/** Characters of the texts of a batch. Only captures with texts of unusual length reach it. */
const MAX_LENGTH = 4 * 1024 * 1024;

interface KnownBody {
  readonly kind: BodyKind;
  /** The first task, by position, with which it was returned. A pool may run a later task first. */
  readonly task: number;
}

/** How tasks are read. It can be sent to a thread. */
export interface ReaderSettings extends JudgeSettings {
  /** How remote inputs are requested. @defaultValue they are problems */
  readonly remote?: RemoteOptions | undefined;
}

/** Captures, and the files that were read for the first time with them. */
export interface ReadBatch {
  readonly captures: TableBatch;
  /** In the order of their first captures. */
  readonly files: TableBatch;
}

/** Counts the result of a fetch. Only a failure of this machine is a problem: all others are outcomes. */
function countSite({ site, captures, result, failure }: FetchedSite, totals: InputTotals): void {
  totals.addRecord(result);
  for (const { body } of captures) totals.inputBytes += body?.length ?? 0;
  if (failure === undefined) return;
  totals.addProblem({ code: 'unreadable-input', offset: 0, message: `${site}: ${failure}` });
}

export class TaskReader {
  readonly #judge: BodyJudge;
  readonly #profile: Profile;
  readonly #remote: RemoteOptions | undefined;
  readonly #fileSchema: TableSchema<FileRow>;
  /** The bodies that were judged, by digest. */
  readonly #known: Map<string, KnownBody> = new Map();

  /** @throws {RangeError} if an agent or the profile does not exist. */
  constructor(settings: ReaderSettings) {
    const { agents, profile, readAs, lint } = settings;
    this.#remote = settings.remote;
    this.#judge = new BodyJudge({ agents, profile, ...(readAs && { readAs }), ...(lint && { lint }) });
    this.#profile = resolveProfile(profile);
    this.#fileSchema = createSchema(createFileColumns(agents, readAs ?? [], lint ?? false));
  }

  /**
   * Reads a task.
   *
   * @param index - its position among all tasks.
   * @returns the batches; the totals at the end. A file is in the batch of its first capture in the task, unless the reader has returned it with an
   *   earlier task, by position.
   * @throws the signal's reason if it is aborted while a remote input is read.
   */
  async *read(index: number, task: Task, signal?: AbortSignal): AsyncGenerator<ReadBatch, InputTotalsData> {
    const totals = new InputTotals();
    let rows = new Rows(index);
    for await (const captures of this.#readCaptures(task, totals, signal))
      for (const capture of captures) {
        rows.addCapture(this.#toRow(capture, rows));
        if (!rows.isFull) continue;
        yield this.#toBatch(rows);
        rows = new Rows(index);
      }
    if (rows.captures.length > 0) yield this.#toBatch(rows);
    return totals.toData();
  }

  async *#readCaptures(
    { files, fetched }: Task,
    totals: InputTotals,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly Capture[]> {
    for (const site of fetched ?? []) {
      countSite(site, totals);
      yield site.captures;
    }
    for (const input of fetched === undefined ? files : [])
      yield* readInput(input, totals, { remote: this.#remote, signal });
  }

  #toBatch({ captures, files }: Rows): ReadBatch {
    return {
      captures: createBatch(CAPTURE_SCHEMA.leaves, captures),
      files: createBatch(this.#fileSchema.leaves, files),
    };
  }

  #toRow(capture: Capture, rows: Rows): CaptureRow {
    const url = parseUrl(capture.url);
    const { body, time, status, location, hops, isTruncated, input, offset } = capture;
    const host = url === undefined ? '' : removeBrackets(url.hostname);
    const digest = body !== null && hasFile(capture, this.#profile) ? hash('sha256', body, 'hex') : null;
    const kind = digest === null || body === null ? undefined : this.#judgeBody(digest, body, rows);
    const outcome = getOutcome(capture, this.#profile, kind);
    return {
      host,
      domain: getDomain(host),
      scheme: url?.protocol.slice(0, -1) ?? '',
      port: Number(url?.port || (url?.protocol === 'http:' ? 80 : 443)),
      path: url === undefined || url.pathname === '/robots.txt' ? null : `${url.pathname}${url.search}`,
      time,
      status,
      outcome,
      digest,
      location,
      target: outcome === 'redirect' ? resolveTarget(capture.url, location ?? '') : null,
      hops,
      isTruncated,
      input,
      offset,
    };
  }

  #judgeBody(digest: string, body: Uint8Array, rows: Rows): BodyKind {
    const known = this.#known.get(digest);
    if (known !== undefined && known.task <= rows.task) return known.kind;
    const judgement = this.#judge.judge(body);
    // A body may be judged again then; the table has it once.
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    rows.addFile(Object.assign(judgement, { digest }));
    this.#known.set(digest, { kind: judgement.kind, task: rows.task });
    return judgement.kind;
  }
}

class Rows {
  readonly captures: CaptureRow[] = [];
  readonly files: FileRow[] = [];
  /** The position of their task. */
  readonly task: number;
  #length = 0;

  constructor(task: number) {
    this.task = task;
  }

  get isFull(): boolean {
    return this.captures.length >= MAX_CAPTURES || this.#length >= MAX_LENGTH;
  }

  addCapture(row: CaptureRow): void {
    this.captures.push(row);
    this.#length +=
      row.host.length + (row.path?.length ?? 0) + (row.location?.length ?? 0) + (row.target?.length ?? 0);
  }

  addFile(row: FileRow): void {
    this.files.push(row);
    for (const { allowed, disallowed } of row.classes)
      this.#length += (allowed?.path.length ?? 0) + (disallowed?.path.length ?? 0);
  }
}

/**
 * Reads a task: its captures as rows, and the judgements of the bodies that it contains.
 *
 * @module
 */
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
import type { CaptureRow, FileRow } from './tables/columns.ts';

/** Digests of bodies that are not judged again. */
const MAX_KNOWN = 200_000;

/** How tasks are read. It can be sent to a thread. */
export interface ReaderSettings extends JudgeSettings {
  /** How remote inputs are requested. @defaultValue they are problems */
  readonly remote?: RemoteOptions | undefined;
}

/** What was read of a task. */
export interface TaskResult {
  readonly captures: readonly CaptureRow[];
  /** The bodies that this reader has not returned before, in the order of their first captures. */
  readonly files: readonly FileRow[];
  readonly totals: InputTotalsData;
}

/** Counts the result of a fetch. Only a failure of this machine is a problem: all others are outcomes. */
function countSite({ site, captures, result, failure }: FetchedSite, totals: InputTotals): void {
  totals.addRecord(result);
  for (const { body } of captures) totals.inputBytes += body?.length ?? 0;
  if (failure === undefined) return;
  totals.addProblem({ code: 'unreadable-input', offset: 0, message: `${site}: ${failure}` });
}

/** Reads tasks, one after another. */
export class TaskReader {
  readonly #judge: BodyJudge;
  readonly #profile: Profile;
  readonly #remote: RemoteOptions | undefined;
  /** The kinds of bodies that were judged, by digest. */
  readonly #known: Map<string, BodyKind> = new Map();

  /** @throws {RangeError} if an agent or the profile does not exist. */
  constructor(settings: ReaderSettings) {
    this.#remote = settings.remote;
    this.#judge = new BodyJudge(settings);
    this.#profile = resolveProfile(settings.profile);
  }

  /** Reads a task. @throws the signal's reason if it is aborted while a remote input is read. */
  async read({ files: inputs, fetched }: Task, signal?: AbortSignal): Promise<TaskResult> {
    const totals = new InputTotals();
    const captures: CaptureRow[] = [];
    const files: FileRow[] = [];
    for (const site of fetched ?? []) {
      countSite(site, totals);
      for (const capture of site.captures) captures.push(this.#toRow(capture, files));
    }
    for (const input of fetched === undefined ? inputs : [])
      for await (const batch of readInput(input, totals, { remote: this.#remote, signal }))
        for (const capture of batch) captures.push(this.#toRow(capture, files));
    return { captures, files, totals: totals.toData() };
  }

  #toRow(capture: Capture, files: FileRow[]): CaptureRow {
    const url = parseUrl(capture.url);
    const { body, time, status, location, hops, isTruncated, input, offset } = capture;
    const host = url === undefined ? '' : removeBrackets(url.hostname);
    const digest = body !== null && hasFile(capture, this.#profile) ? hash('sha256', body, 'hex') : null;
    const kind = digest === null || body === null ? undefined : this.#judgeBody(digest, body, files);
    return {
      host,
      domain: getDomain(host),
      scheme: url?.protocol.slice(0, -1) ?? '',
      port: Number(url?.port || (url?.protocol === 'http:' ? 80 : 443)),
      path: url === undefined || url.pathname === '/robots.txt' ? null : `${url.pathname}${url.search}`,
      time,
      status,
      outcome: getOutcome(capture, this.#profile, kind),
      digest,
      location,
      hops,
      isTruncated,
      input,
      offset,
    };
  }

  #judgeBody(digest: string, body: Uint8Array, files: FileRow[]): BodyKind {
    const known = this.#known.get(digest);
    if (known !== undefined) return known;
    const judgement = this.#judge.judge(body);
    // A body may be judged again then; the table has it once.
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    files.push({ digest, ...judgement });
    this.#known.set(digest, judgement.kind);
    return judgement.kind;
  }
}

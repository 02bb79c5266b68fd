// When files are linted: a short time after the last change, one run for each file at a time, so that fast typing starts no queue of runs.
import type { Finding } from '@maycrawl/core/lint';
import type { RunAnalysis } from './analysis.ts';
import type { RobotsDocument } from './robots-document.ts';

export interface LintScheduleOptions {
  readonly run: RunAnalysis;
  /** Milliseconds from the last change to the start of a run. */
  readonly delay: number;
  /** Receives the findings of the newest version of a file, or the error of a run. */
  readonly onResult: (document: RobotsDocument, result: readonly Finding[] | Error) => void;
}

/** A file that is open. */
interface OpenFile {
  document: RobotsDocument;
  timer: NodeJS.Timeout | undefined;
  /** Whether the newest version has to be linted. */
  isDue: boolean;
  isRunning: boolean;
}

/** Lints open files. */
export class LintSchedule {
  readonly #options: LintScheduleOptions;
  readonly #files: Map<string, OpenFile> = new Map();
  readonly #runs: WeakMap<RobotsDocument, Promise<readonly Finding[]>> = new WeakMap();
  readonly #finished: WeakMap<RobotsDocument, readonly Finding[]> = new WeakMap();

  constructor(options: LintScheduleOptions) {
    this.#options = options;
  }

  /** Receives a new version of a file. The first one is linted immediately. */
  update(document: RobotsDocument): void {
    const { uri } = document;
    const isNew = !this.#files.has(uri);
    const file = this.#files.get(uri) ?? { document, timer: undefined, isDue: false, isRunning: false };
    this.#files.set(uri, file);
    file.document = document;
    clearTimeout(file.timer);
    const start = (): void => {
      file.isDue = true;
      void this.#lint(file);
    };
    if (isNew) start();
    else file.timer = setTimeout(start, this.#options.delay);
  }

  /** Ends the work for a file. */
  close(uri: string): void {
    clearTimeout(this.#files.get(uri)?.timer);
    this.#files.delete(uri);
  }

  /** Returns the findings of a version of a file. The linter runs once for each version. */
  getFindings(document: RobotsDocument): Promise<readonly Finding[]> {
    const started = this.#runs.get(document);
    if (started !== undefined) return started;
    const run = this.#options.run({ kind: 'lint', text: document.parsedText }).then((findings) => {
      this.#finished.set(document, findings);
      return findings;
    });
    this.#runs.set(document, run);
    return run;
  }

  /** The findings of a version of a file if the linter has finished; else none. */
  getFinishedFindings(document: RobotsDocument): readonly Finding[] {
    return this.#finished.get(document) ?? [];
  }

  async #lint(file: OpenFile): Promise<void> {
    if (file.isRunning) return;
    file.isRunning = true;
    while (file.isDue) {
      file.isDue = false;
      const { document } = file;
      const result = await this.getFindings(document).catch((error: unknown) => error as Error);
      const isNewest = this.#files.get(document.uri) === file && file.document === document;
      if (isNewest) this.#options.onResult(document, result);
    }
    file.isRunning = false;
  }
}

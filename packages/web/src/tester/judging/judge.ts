/**
 * The client of the judging worker.
 *
 * @module
 */
import type { Explanation } from './explain.ts';
import type {
  ExplainRequest,
  JudgeMessage,
  JudgeRequest,
  JudgeResponse,
  MatrixRequest,
  PreferenceDetailsRequest,
  PreferenceTableRequest,
} from './messages.ts';
import type { PreferenceDetails, PreferenceTable } from './preferences.ts';

type Receive = (result: never) => void;

/** Sends requests. Of each slot only the response to the last request is received. */
export class Judge {
  readonly #worker: Worker = new Worker(new URL('./judge-worker.ts', import.meta.url), { type: 'module' });
  readonly #pending = new Map<string, { readonly turn: number; readonly receive: Receive }>();
  #turn = 0;
  #urls: readonly string[] | undefined;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<JudgeResponse>) => {
      const { slot, turn, result } = data;
      const pending = this.#pending.get(slot);
      if (pending?.turn !== turn) return;
      this.#pending.delete(slot);
      (pending.receive as (result: JudgeResponse['result']) => void)(result);
    });
  }

  /** Requests a byte for each URL and crawler (cell.ts). */
  requestMatrix(
    slot: 'edited' | 'baseline',
    urls: readonly string[],
    request: MatrixRequest,
    receive: (cells: Uint8Array) => void,
  ): void {
    if (urls !== this.#urls) {
      this.#urls = urls;
      this.#post({ kind: 'urls', urls });
    }
    this.#request(slot, request, receive);
  }

  requestExplanation(request: ExplainRequest, receive: (explanation: Explanation) => void): void {
    this.#request('explain', request, receive);
  }

  /** Requests a table. @returns a function that cancels the request. */
  requestPreferences(
    slot: 'preferences' | 'preferences-of-others',
    request: PreferenceTableRequest,
    receive: (table: PreferenceTable) => void,
  ): () => void {
    this.#request(slot, request, receive);
    return () => this.#cancel(slot);
  }

  requestPreferenceDetails(
    request: PreferenceDetailsRequest,
    receive: (details: PreferenceDetails) => void,
  ): void {
    this.#request('preference-details', request, receive);
  }

  #cancel(slot: string): void {
    this.#pending.delete(slot);
    this.#post({ kind: 'cancel', slot });
  }

  #request(slot: string, request: JudgeRequest, receive: Receive): void {
    const turn = ++this.#turn;
    this.#pending.set(slot, { turn, receive });
    this.#post({ kind: 'request', slot, turn, request });
  }

  #post(message: JudgeMessage): void {
    this.#worker.postMessage(message);
  }
}

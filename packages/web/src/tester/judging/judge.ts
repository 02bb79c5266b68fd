// The client of the judging worker.
import type { JudgeMessage, JudgeRequest, JudgeResponse, JudgeResults } from './messages.ts';

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

  /** Replaces the URLs of the matrix. */
  setUrls(urls: readonly string[]): void {
    if (urls === this.#urls) return;
    this.#urls = urls;
    this.#post({ kind: 'urls', urls });
  }

  /** Sends a request. @returns a function that cancels it. */
  request<Kind extends JudgeRequest['kind']>(
    slot: string,
    request: Extract<JudgeRequest, { kind: Kind }>,
    receive: (result: JudgeResults[Kind]) => void,
  ): () => void {
    const turn = ++this.#turn;
    this.#pending.set(slot, { turn, receive });
    this.#post({ kind: 'request', slot, turn, request });
    return () => {
      if (this.#pending.get(slot)?.turn !== turn) return;
      this.#pending.delete(slot);
      this.#post({ kind: 'cancel', slot });
    };
  }

  #post(message: JudgeMessage): void {
    this.#worker.postMessage(message);
  }
}

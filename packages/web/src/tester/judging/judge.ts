/**
 * The page's side of the judging worker.
 *
 * @module
 */
import type { Explanation } from './explain.ts';
import type { ExplainQuestion, JudgeQuestion, JudgeReply, JudgeRequest, MatrixQuestion } from './question.ts';

type Receive = (answer: never) => void;

/** Asks the worker. In each slot only the answer to the last question arrives. */
export class Judge {
  readonly #worker: Worker = new Worker(new URL('./judge-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<string, { readonly turn: number; readonly receive: Receive }>();
  #turn = 0;
  #urls: readonly string[] | undefined;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<JudgeReply>) => {
      const { slot, turn, answer } = data;
      const waiting = this.#waiting.get(slot);
      if (waiting?.turn !== turn) return;
      this.#waiting.delete(slot);
      (waiting.receive as (answer: JudgeReply['answer']) => void)(answer);
    });
  }

  /** A byte for each URL and crawler, see cell.ts. */
  askMatrix(
    slot: 'edited' | 'baseline',
    urls: readonly string[],
    question: MatrixQuestion,
    receive: (cells: Uint8Array) => void,
  ): void {
    if (urls !== this.#urls) {
      this.#urls = urls;
      this.#post({ kind: 'urls', urls });
    }
    this.#ask(slot, question, receive);
  }

  askExplanation(question: ExplainQuestion, receive: (explanation: Explanation) => void): void {
    this.#ask('explain', question, receive);
  }

  #ask(slot: string, question: JudgeQuestion, receive: Receive): void {
    const turn = ++this.#turn;
    this.#waiting.set(slot, { turn, receive });
    this.#post({ kind: 'ask', slot, turn, question });
  }

  #post(request: JudgeRequest): void {
    this.#worker.postMessage(request);
  }
}

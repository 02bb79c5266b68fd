/**
 * The page's side of a proving worker, which is ended when it is still busy with what nobody wants to know any more.
 *
 * @module
 */
import type { ProofAnswer, ProofQuestion } from './question.ts';

/** Asks one question at a time. */
export class Prover {
  #worker: Worker | undefined;

  /** Asks, and gives up what was asked before. @returns a function that gives this question up. */
  ask(question: ProofQuestion, receive: (answer: ProofAnswer) => void): () => void {
    const worker =
      this.#worker ?? new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = undefined;
    let isDone = false;
    worker.onmessage = ({ data }: MessageEvent<ProofAnswer>) => {
      isDone = true;
      this.#worker?.terminate();
      this.#worker = worker;
      receive(data);
    };
    worker.onerror = () => {
      isDone = true;
      worker.terminate();
      receive({ kind: 'failed', message: 'It could not be worked out.' });
    };
    worker.postMessage(question);
    return () => {
      if (!isDone) worker.terminate();
    };
  }
}

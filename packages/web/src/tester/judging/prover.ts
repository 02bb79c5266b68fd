// The client of a proof worker, which is terminated if it is busy with an obsolete request.
import type { ProofRequest, ProofResult } from './messages.ts';

/** The browser loads a worker when it starts one, which can fail offline and after an update of the server. */
const FAILURE =
  'A part of this page failed or cannot be loaded. Download your file, check the connection, and reload the page.';

/** Sends one request at a time. */
export class Prover {
  #worker: Worker | undefined;

  /** Sends a request. @returns a function that cancels it. */
  request(request: ProofRequest, receive: (result: ProofResult) => void): () => void {
    const worker =
      this.#worker ?? new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = undefined;
    let isDone = false;
    worker.onmessage = ({ data }: MessageEvent<ProofResult>) => {
      isDone = true;
      this.#worker?.terminate();
      this.#worker = worker;
      receive(data);
    };
    worker.onerror = () => {
      isDone = true;
      worker.terminate();
      receive({ kind: 'failed', message: FAILURE });
    };
    worker.postMessage(request);
    return () => {
      if (!isDone) worker.terminate();
    };
  }
}

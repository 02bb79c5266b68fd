// Requests to the service as a hook: one at a time, and its result.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestOptions, type Result, requestJson } from './service.ts';

export interface Request<Value> {
  readonly isRunning: boolean;
  readonly result: Result<Value> | null;
  /**
   * Sends a request, which ends the one before it.
   *
   * @returns the value; `null` if there is a problem, or another request was sent meanwhile.
   */
  readonly send: (path: string, options: Omit<RequestOptions, 'signal'>) => Promise<Value | null>;
  /** Ends a request, and replaces its result: `null`, or a problem. */
  readonly reset: (problem: string | null) => void;
}

/** Requests JSON. The page and the service are of the same release, so the type of a response is not checked again. */
export function useRequest<Value>(): Request<Value> {
  const [isRunning, setIsRunning] = useState(false);
  const [result, setResult] = useState<Result<Value> | null>(null);
  const running = useRef<AbortController | null>(null);
  const send: Request<Value>['send'] = async (path, options) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setIsRunning(true);
    const next = (await requestJson(path, { ...options, signal })) as Result<Value>;
    if (signal.aborted) return null;
    setIsRunning(false);
    setResult(next);
    return next.kind === 'success' ? next.value : null;
  };
  const reset = (problem: string | null): void => {
    running.current?.abort();
    setIsRunning(false);
    setResult(problem === null ? null : { kind: 'problem', message: problem, status: null });
  };
  return { isRunning, result, send, reset };
}

/**
 * Requests a path, and requests another one when it changes.
 *
 * @param path - `null`: nothing.
 * @param session - another value requests the path again.
 */
export function useJson<Value>(
  path: string | null,
  maxBytes: number,
  session: number = 0,
): Result<Value> | null {
  const { result, send } = useRequest<Value>();
  useEffect(() => {
    if (path !== null) void send(path, { maxBytes });
  }, [path, session]);
  return result;
}

/**
 * Calls the JSON API of the service.
 *
 * @module
 */
import { readAll } from '../tester/state/share-link.ts';
import { dropToken, headersWithToken, problemOf } from './service.ts';

/** The result of a call; `status` is `null` if there was no response. */
export type ApiReply<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'problem'; readonly message: string; readonly status: number | null };

/** Parameters of a call. */
export type ApiQuery = Readonly<Record<string, string | number>>;

/** A call that changes something. */
interface Change {
  readonly method: 'POST' | 'DELETE';
  readonly body?: object;
}

/** Calls a path of the API. It does not reject: failures are problems. */
export type CallApi = <Answer>(path: string, query: ApiQuery, change?: Change) => Promise<ApiReply<Answer>>;

/** Bytes: a URL list of at most 8 MB, as JSON. */
const MAX_ANSWER = 32 * 1024 * 1024;

/**
 * Creates a function that calls the API.
 *
 * @param base - in front of each path, relative to the page, so that it works below whatever path a proxy uses.
 * @param onTokenNeeded - called when the service requires a token.
 */
export function createApi(base: string, onTokenNeeded: () => void): CallApi {
  return async <Answer>(path: string, query: ApiQuery, change?: Change): Promise<ApiReply<Answer>> => {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const body = change?.body === undefined ? undefined : JSON.stringify(change.body);
    try {
      const response = await fetch(`${base}${path}${parameters.size > 0 ? `?${parameters}` : ''}`, {
        method: change?.method ?? 'GET',
        headers: headersWithToken({
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }),
        ...(body !== undefined && { body }),
      });
      const bytes = response.body === null ? new Uint8Array() : await readAll(response.body, MAX_ANSWER);
      if (response.status === 401) {
        dropToken();
        onTokenNeeded();
        return { kind: 'problem', message: 'The service requires a token.', status: 401 };
      }
      const json: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
      const { ok, status } = response;
      if (!ok) return { kind: 'problem', message: problemOf(json, status), status };
      return { kind: 'answer', answer: json as Answer };
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return { kind: 'problem', message: `The service did not answer: ${what}`, status: null };
    }
  };
}

// Requests of a Crawlee crawler that wait for their time, in lines: requests to one origin wait for the same, so only the first one of a
// line is examined, and it alone at a time. All times are milliseconds since 1970.

/** The part of a request that identifies it. */
interface IdentifiedRequest {
  readonly id?: string | undefined;
  readonly url: string;
}

interface Line<R> {
  readonly requests: R[];
  /** When the first request is examined again. */
  at: number;
  /** Whether a caller of {@link PostponedRequests} examines a request of it. */
  isExamined: boolean;
}

/** A request whose time has come. The caller examines it, and calls {@link PostponedRequests.end}. */
export interface DueRequest<R> {
  readonly line: string;
  readonly request: R;
}

/** The shortest time that a request is postponed: the crawler looks for requests twice a second. Milliseconds. */
const SHORTEST_DELAY = 100;

export class PostponedRequests<R extends IdentifiedRequest> {
  readonly #lines: Map<string, Line<R>> = new Map();
  readonly #keys: Set<string> = new Set();
  /** No request is due before. */
  #nextAt = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#keys.size;
  }

  has(request: R): boolean {
    return this.#keys.has(toKey(request));
  }

  hasLine(line: string): boolean {
    return this.#lines.has(line);
  }

  hasDue(now: number): boolean {
    return this.#nextAt <= now;
  }

  /** Begins a line whose first request is examined. */
  begin(line: string): void {
    this.#lines.set(line, { requests: [], at: 0, isExamined: true });
  }

  /** Adds a request to the end of a line that there is. */
  join(line: string, request: R): void {
    this.#lines.get(line)?.requests.push(request);
    this.#keys.add(toKey(request));
  }

  /** Puts the request that is examined back to the beginning of its line. It is examined until {@link end}. */
  putBack(line: string, request: R): void {
    this.#lines.get(line)?.requests.unshift(request);
    this.#keys.add(toKey(request));
  }

  /** Adds a line of one request. */
  add(request: R, at: number): void {
    const line = `request ${toKey(request)}`;
    this.begin(line);
    this.join(line, request);
    this.end(line, at);
  }

  /** Ends the examination of a line. @param at - when its next request is examined; `null`: immediately. */
  end(line: string, at: number | null): void {
    const found = this.#lines.get(line);
    if (found === undefined) return;
    if (found.requests.length === 0) {
      this.#lines.delete(line);
      return;
    }
    found.isExamined = false;
    found.at = at === null ? 0 : Math.max(at, Date.now() + SHORTEST_DELAY);
    this.#nextAt = Math.min(this.#nextAt, found.at);
  }

  /** Takes the first request of a line whose time has come. */
  takeDue(now: number): DueRequest<R> | undefined {
    if (this.#nextAt > now) return undefined;
    let due: DueRequest<R> | undefined;
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const [line, found] of this.#lines) {
      if (found.isExamined) continue;
      const [request] = found.requests;
      if (due === undefined && found.at <= now && request !== undefined) due = { line, request };
      else this.#nextAt = Math.min(this.#nextAt, found.at);
    }
    const taken = due === undefined ? undefined : this.#lines.get(due.line);
    if (due === undefined || taken === undefined) return undefined;
    taken.requests.shift();
    taken.isExamined = true;
    this.#keys.delete(toKey(due.request));
    // Lines take turns.
    this.#lines.delete(due.line);
    this.#lines.set(due.line, taken);
    return due;
  }
}

function toKey({ id, url }: IdentifiedRequest): string {
  return id ?? url;
}

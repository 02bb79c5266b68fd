// What a crawl found out about a site with one request: it is claimed before the request, and stored with the run after it.
import type { TdmRepFile } from '../../../preferences/tdmrep-file.ts';

/** The part of a run that stores facts by their names. */
interface FactStore {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** A kind of facts about sites. */
export class SiteFacts<Fact> {
  readonly #name: string;

  /** @param name - of the fact, as the run stores it: `NAME of ORIGIN`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Returns whether the request to a site was claimed. */
  isClaimed(run: FactStore, origin: string): boolean {
    return run.get(this.#getKey(origin)) !== undefined;
  }

  /** Claims the request to a site. @returns `false` if this run has claimed it before. */
  claim(run: FactStore, origin: string): boolean {
    if (this.isClaimed(run, origin)) return false;
    run.set(this.#getKey(origin), null);
    return true;
  }

  /** Stores the fact about a site. */
  set(run: FactStore, origin: string, fact: Fact): void {
    run.set(this.#getKey(origin), fact);
  }

  /** Returns the fact about a site; `null` if nothing was requested. */
  get(run: FactStore, origin: string): Fact | null {
    return (run.get(this.#getKey(origin)) as Fact | null | undefined) ?? null;
  }

  #getKey(origin: string): string {
    return `${this.#name} of ${origin}`;
  }
}

/** The response of a site to a random URL, which does not exist. */
export interface MissingPage {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `null`: no response. */
  readonly status: number | null;
  /** The target of a redirect. */
  readonly location: string | null;
  readonly title: string | null;
  /** Bytes and digest of the body; `null`: it was not read. */
  readonly bytes: number | null;
  readonly digest: string | null;
}

/** The responses of sites. */
export const MISSING_PAGES: SiteFacts<MissingPage> = new SiteFacts('missing page');

/** The files `/.well-known/tdmrep.json` of sites. A file that could not be requested has a problem. */
export const TDMREP_FILES: SiteFacts<TdmRepFile> = new SiteFacts('tdmrep.json');

/** The response of a host that people may take for that of a start, or of that host itself. */
export interface HostVariant {
  readonly url: string;
  /** At the end of its redirects; `null`: no response, or not requested. */
  readonly status: number | null;
  /** The URL at the end of its redirects. */
  readonly end: string;
  /** Why there is no usable response, as of a check; otherwise `null`. */
  readonly code: string | null;
  readonly detail: string | null;
}

/** The responses of the hosts of starts, each first, and of their variants. */
export const HOST_VARIANTS: SiteFacts<readonly HostVariant[]> = new SiteFacts('host variants');

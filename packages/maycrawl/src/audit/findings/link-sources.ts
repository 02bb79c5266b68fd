// The pages that link to URLs with findings, and the texts of their links: that is where a broken link is corrected.

import { InLinks } from '../links/in-links.ts';
import { UrlIndex } from '../links/url-index.ts';
import type { FindingLinks } from '../run/records/finding.ts';
import { WALKED } from '../run/records/link-list.ts';
import type { RunStore } from '../run/run-store.ts';
import { FINDING_KINDS, type FindingCode } from './finding-kinds.ts';

/** The links of a run, and their index. */
export interface IndexedLinks {
  readonly index: UrlIndex;
  readonly links: InLinks;
}

/** Finds the links of findings. */
export class LinkSources {
  readonly #run: RunStore;
  #indexed: IndexedLinks | undefined;

  /** @param indexed - the links. @defaultValue those of all pages are read when the first finding needs them */
  constructor(run: RunStore, indexed?: IndexedLinks) {
    this.#run = run;
    this.#indexed = indexed;
  }

  /** Returns the pages that link to the URL of a finding; `null` for kinds that are not about links. @param key - of the URL. */
  find(code: string, key: number): FindingLinks | null {
    if (FINDING_KINDS[code as FindingCode]?.isAboutLinks !== true) return null;
    this.#indexed ??= readLinks(this.#run);
    const { index, links } = this.#indexed;
    const number = index.find(key);
    const pages = links.getSources(number).flatMap(({ from, types, text }) => {
      const url = this.#run.url(index.getKey(from))?.url;
      if (url === undefined || (types & WALKED) === 0) return [];
      return [{ url, texts: this.#run.rows.links.readTexts(text) }];
    });
    return { count: links.getCount(number), pages };
  }
}

/** Reads the links of all pages. */
export function readLinks({ rows }: RunStore): IndexedLinks {
  const index = new UrlIndex(rows);
  return { index, links: new InLinks(rows, index) };
}

/** Describes a page and the texts of its links: `https://example.com/ "Shoes", no text`. */
export function describeSource({ url, texts }: FindingLinks['pages'][number]): string {
  const quoted = texts.map((text) => (text === '' ? 'no text' : `"${text}"`));
  return quoted.length === 0 ? url : `${url} ${quoted.join(', ')}`;
}

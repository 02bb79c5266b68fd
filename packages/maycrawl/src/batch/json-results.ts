// Verdicts for one crawler about the URLs of a list, as JSON. Most of the JSON is the same for all URLs that one line of the file decides,
// so it is serialized once a line.
import type { Verdict } from '@maycrawl/core';
import { toJson } from '../text/printable.ts';
import { createVerdictReport, type NamedCrawler, type Source } from './judge.ts';

/** Maximum number of templates. A file can have a hundred thousand rules. */
const MAX_TEMPLATES = 4_096;

/** The parts of the JSON around URL and path. */
interface Template {
  readonly beforePath: string;
  readonly afterPath: string;
}

const START = '{"url":""';
const PATH = ',"path":""';

/** Serializes the reports of {@link createVerdictReport}. */
export class JsonResults {
  readonly #crawler: NamedCrawler;
  readonly #source: Source;
  /** By the line of the deciding rule, or by the reason if no rule decides. */
  readonly #templates: Map<number | string, Template> = new Map();

  constructor(crawler: NamedCrawler, source: Source) {
    this.#crawler = crawler;
    this.#source = source;
  }

  /** Serializes a verdict, without a line end. */
  write(url: string, verdict: Verdict): string {
    const [crawler, source] = [this.#crawler, this.#source];
    if (verdict.kind === 'out-of-scope')
      return toJson(createVerdictReport({ url, crawler, source, verdict }));
    const key = verdict.line || verdict.reason;
    let template = this.#templates.get(key);
    if (template === undefined) {
      const json = toJson({ ...createVerdictReport({ url, crawler, source, verdict }), url: '', path: '' });
      // A value cannot contain it: its quotes would be escaped.
      const path = json.indexOf(PATH);
      template = { beforePath: json.slice(START.length, path), afterPath: json.slice(path + PATH.length) };
      if (this.#templates.size >= MAX_TEMPLATES) this.#templates.clear();
      this.#templates.set(key, template);
    }
    const { beforePath, afterPath } = template;
    return `{"url":${toJson(url)}${beforePath},"path":${toJson(verdict.path)}${afterPath}`;
  }
}

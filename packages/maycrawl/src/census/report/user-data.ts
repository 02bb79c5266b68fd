// What the user of a report adds to it: files, and groups of agents. The page of the report imports this module, so it needs no Node.
import type { SiteCount } from './site-count.ts';

/** A file besides the tables. */
export interface ReportSource {
  readonly option: '--ranks' | '--weights' | '--table';
  /** Without folders. */
  readonly file: string;
  readonly sha256: string;
  readonly rows: number;
}

/** A group of agents with a name. */
export interface ReportGroup {
  /** Any text. */
  readonly name: string;
  /** Indexes of its agents. */
  readonly agents: readonly number[];
  /** By crawl: the sites that block at least one of them, and those that block each of them. The denominators are those of an agent. */
  readonly crawls: readonly { readonly any: SiteCount; readonly all: SiteCount }[];
}

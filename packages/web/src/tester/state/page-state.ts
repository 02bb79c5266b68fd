/**
 * What a person has entered, as one value, and how it changes. Everything that the page shows follows from it.
 *
 * @module
 */
import { findProfile, GOOGLE } from '@maycrawl/core';
import { MAX_CRAWLERS } from './crawlers.ts';
import { type Content, contentOf, editFile, fileOfText, type RobotsFile } from './robots-file.ts';
import { SAMPLE_CRAWLERS, SAMPLE_TEXT, SAMPLE_URLS } from './sample.ts';
import { MAX_URLS } from './url-list.ts';

/** What stands beside the editor. */
export const PANELS = ['verdicts', 'compare', 'outage'] as const;
export type Panel = (typeof PANELS)[number];

/** The file before the edits, to compare with. */
export interface Baseline {
  /** What it is, for people. */
  readonly name: string;
  readonly content: Content;
}

export interface PageState {
  readonly file: RobotsFile;
  readonly baseline: Baseline;
  /** The origin that the file speaks for; `null`: for every URL. */
  readonly origin: string | null;
  readonly urls: readonly string[];
  /** Names, see crawlers.ts. */
  readonly crawlers: readonly string[];
  /** Name of a profile. */
  readonly profile: string;
  /** The cell that is explained. */
  readonly selected: { readonly row: number; readonly column: number };
  readonly panel: Panel;
}

/** One change of the state. */
export type Update = (state: PageState) => PageState;

/** What the page begins with. */
export function initialState(): PageState {
  const file = fileOfText(SAMPLE_TEXT);
  return {
    file,
    baseline: { name: 'the sample', content: contentOf(file) },
    origin: null,
    urls: SAMPLE_URLS,
    crawlers: SAMPLE_CRAWLERS,
    profile: GOOGLE.name,
    selected: { row: 0, column: 0 },
    panel: 'verdicts',
  };
}

/** The file was edited. */
export function withText(text: string): Update {
  return (state) => (text === state.file.text ? state : { ...state, file: editFile(state.file, text) });
}

/** Another file came. It is what later edits are compared with. The URLs of the sample become those of its site. */
export function withFile(file: RobotsFile, name: string, origin: string | null): Update {
  return (state) => {
    const isSample = state.urls === SAMPLE_URLS && origin !== null;
    const urls = isSample ? SAMPLE_URLS.map((url) => `${origin}${pathOf(url)}`) : state.urls;
    return { ...state, file, origin, urls, baseline: { name, content: contentOf(file) } };
  };
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '');
}

/** Later edits are compared with another file. */
export function withBaseline(baseline: Baseline): Update {
  return (state) => ({ ...state, baseline });
}

/** What is in the editor becomes what later edits are compared with. */
export function withBaselineHere(name: string): Update {
  return (state) => ({ ...state, baseline: { name, content: contentOf(state.file) } });
}

/** The file speaks for every URL again. */
export function withoutOrigin(state: PageState): PageState {
  return { ...state, origin: null };
}

export function withUrls(urls: readonly string[]): Update {
  return (state) => keepSelected({ ...state, urls: urls.slice(0, MAX_URLS) });
}

export function withCrawlers(crawlers: readonly string[]): Update {
  return (state) => keepSelected({ ...state, crawlers: [...new Set(crawlers)].slice(0, MAX_CRAWLERS) });
}

/** Another reading of the protocol. A name that there is not changes nothing. */
export function withProfile(profile: string): Update {
  return (state) => (findProfile(profile) === undefined ? state : { ...state, profile });
}

export function withPanel(panel: Panel): Update {
  return (state) => ({ ...state, panel });
}

/** Another cell is explained; one beyond the edge is the one at the edge. */
export function withSelected(row: number, column: number): Update {
  return (state) => keepSelected({ ...state, selected: { row, column } });
}

function keepSelected(state: PageState): PageState {
  const { urls, crawlers, selected } = state;
  const row = clamp(selected.row, urls.length - 1);
  const column = clamp(selected.column, crawlers.length - 1);
  return row === selected.row && column === selected.column ? state : { ...state, selected: { row, column } };
}

function clamp(index: number, last: number): number {
  return Math.max(0, Math.min(index, last));
}

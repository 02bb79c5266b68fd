/**
 * The input of the user as one immutable value, and its updates. The page derives everything else from it.
 *
 * @module
 */
import { findProfile, GOOGLE } from '@maycrawl/core';
import { MAX_CRAWLERS } from './crawlers.ts';
import { type Content, createTextFile, editFile, getContent, type RobotsFile } from './robots-file.ts';
import { SAMPLE_CRAWLERS, SAMPLE_TEXT, SAMPLE_URLS } from './sample.ts';
import { MAX_URLS } from './url-list.ts';

/** The panels beside the editor. */
export const PANELS = ['verdicts', 'compare', 'outage'] as const;
export type Panel = (typeof PANELS)[number];

/** The file that edits are compared with. */
export interface Baseline {
  /** For the user. */
  readonly name: string;
  readonly content: Content;
}

export interface PageState {
  readonly file: RobotsFile;
  readonly baseline: Baseline;
  /** The origin of the file; `null` if it applies to every URL. */
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

/** The state of a new page. */
export function initialState(): PageState {
  const file = createTextFile(SAMPLE_TEXT);
  return {
    file,
    baseline: { name: 'the sample', content: getContent(file) },
    origin: null,
    urls: SAMPLE_URLS,
    crawlers: SAMPLE_CRAWLERS,
    profile: GOOGLE.name,
    selected: { row: 0, column: 0 },
    panel: 'verdicts',
  };
}

/** Replaces the text of the file. */
export function withText(text: string): Update {
  return (state) => (text === state.file.text ? state : { ...state, file: editFile(state.file, text) });
}

/** Loads a file, which becomes the baseline. The sample URLs are moved to its origin. */
export function withFile(file: RobotsFile, name: string, origin: string | null): Update {
  return (state) => {
    const isSample = state.urls === SAMPLE_URLS && origin !== null;
    const urls = isSample ? SAMPLE_URLS.map((url) => `${origin}${getPath(url)}`) : state.urls;
    return { ...state, file, origin, urls, baseline: { name, content: getContent(file) } };
  };
}

function getPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '');
}

/** Replaces the baseline. */
export function withBaseline(baseline: Baseline): Update {
  return (state) => ({ ...state, baseline });
}

/** Makes the file in the editor the baseline. */
export function withCurrentBaseline(name: string): Update {
  return (state) => ({ ...state, baseline: { name, content: getContent(state.file) } });
}

/** Applies the file to every URL. */
export function withoutOrigin(state: PageState): PageState {
  return { ...state, origin: null };
}

export function withUrls(urls: readonly string[]): Update {
  return (state) => keepSelected({ ...state, urls: urls.slice(0, MAX_URLS) });
}

export function withCrawlers(crawlers: readonly string[]): Update {
  return (state) => keepSelected({ ...state, crawlers: [...new Set(crawlers)].slice(0, MAX_CRAWLERS) });
}

/** Changes the profile. An unknown name changes nothing. */
export function withProfile(profile: string): Update {
  return (state) => (findProfile(profile) === undefined ? state : { ...state, profile });
}

export function withPanel(panel: Panel): Update {
  return (state) => ({ ...state, panel });
}

/** Selects the cell to explain, or the nearest one. */
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

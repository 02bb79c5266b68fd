// The input of the user as one immutable value, and its updates. The page derives everything else from it.
import { findProfile, GOOGLE } from '@maycrawl/core';
import { MAX_CRAWLERS } from './crawlers.ts';
import { limitSources, NO_SOURCES, type SourceTexts } from './declaration-sources.ts';
import {
  type Content,
  createTextFile,
  decodeFile,
  editFile,
  getContent,
  type RobotsFile,
} from './robots-file.ts';
import { createSiteSample, SAMPLE_CRAWLERS, SAMPLE_TEXT, SAMPLE_URLS } from './sample.ts';
import { FIRST_PREFERENCE, type SelectedPreference } from './selected-preference.ts';
import { addUrls, MAX_URLS } from './url-list.ts';

/** The panels beside the editor. */
export const PANELS = ['verdicts', 'preferences', 'compare', 'page', 'outage'] as const;
export type Panel = (typeof PANELS)[number];

/** The file that edits are compared with. */
interface Baseline {
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
  /** Whether the user chose the URLs; else they are a sample. */
  readonly hasOwnUrls: boolean;
  /** Names, see crawlers.ts. */
  readonly crawlers: readonly string[];
  readonly profile: string;
  /** The cell that is explained. */
  readonly selected: { readonly row: number; readonly column: number };
  readonly panel: Panel;
  /** Sources of preferences beside the file. */
  readonly sources: SourceTexts;
  /** The preference that is explained. */
  readonly preference: SelectedPreference;
}

export type Update = (state: PageState) => PageState;

export function initialState(): PageState {
  const file = createTextFile(SAMPLE_TEXT);
  return {
    file,
    baseline: { name: 'the sample', content: getContent(file) },
    origin: null,
    urls: SAMPLE_URLS,
    hasOwnUrls: false,
    crawlers: SAMPLE_CRAWLERS,
    profile: GOOGLE.name,
    selected: { row: 0, column: 0 },
    panel: 'verdicts',
    sources: NO_SOURCES,
    preference: FIRST_PREFERENCE,
  };
}

/** Replaces parts of the state that no other part depends on. */
export function withPart(
  part: Partial<Pick<PageState, 'origin' | 'baseline' | 'panel' | 'preference'>>,
): Update {
  return (state) => ({ ...state, ...part });
}

/** Replaces the text of the file. */
export function withText(text: string): Update {
  return (state) => (text === state.file.text ? state : { ...state, file: editFile(state.file, text) });
}

/**
 * Replaces the file by bytes that a worker computed from it. They are more than their text, which cannot represent bytes that are not
 * UTF-8.
 *
 * @param before - what they were computed from: a file that was edited meanwhile stays.
 */
export function withComputedFile(before: Content, bytes: Uint8Array): Update {
  return (state) => (getContent(state.file) === before ? { ...state, file: decodeFile(bytes) } : state);
}

/** Replaces the whole text by a paste. What was there before becomes the baseline, unless that is the live file. */
export function withPastedText(text: string): Update {
  return (state) => {
    if (text === state.file.text) return state;
    const file = editFile(state.file, text);
    if (state.origin !== null) return { ...state, file };
    // A comparison of the user's file with the sample means nothing: later edits are compared with the paste.
    const isSample = state.file.text === SAMPLE_TEXT;
    const baseline = isSample
      ? { name: 'the pasted text', content: text }
      : { name: 'the text before the paste', content: getContent(state.file) };
    return { ...state, file, baseline };
  };
}

interface Site {
  readonly origin: string;
  /** The URL to test first. */
  readonly url: string;
}

/**
 * Loads a file, which becomes the baseline. If it is of a site, the URL of the site is tested first, with a sample of the site or the
 * URLs that the user chose.
 */
export function withFile(file: RobotsFile, name: string, site: Site | null): Update {
  return (state) => {
    const content = getContent(file);
    const loaded = { ...state, file, origin: site?.origin ?? null, baseline: { name, content } };
    if (site === null) return loaded;
    const { origin, url } = site;
    const urls = state.hasOwnUrls
      ? addUrls([url], state.urls).urls
      : createSiteSample(origin, url, file.text);
    return { ...loaded, urls, selected: { row: 0, column: state.selected.column } };
  };
}

/** Adds URLs of the sitemaps of a site to its sample, after the home page, unless the user chose URLs or another site. */
export function withSitemapUrls(origin: string, sampled: readonly string[]): Update {
  return (state) => {
    if (state.hasOwnUrls || state.origin !== origin || sampled.length === 0) return state;
    const { urls, selected } = state;
    const start = urls.indexOf(`${origin}/`) + 1;
    const [first, rest] = [urls.slice(0, start), urls.slice(start)];
    const row = urls[selected.row];
    const all = addUrls(addUrls(first, sampled).urls, rest).urls;
    // The same URL stays explained.
    return { ...state, urls: all, selected: { ...selected, row: Math.max(0, all.indexOf(row ?? '')) } };
  };
}

/** Makes the file in the editor the baseline. */
export function withCurrentBaseline(name: string): Update {
  return (state) => ({ ...state, baseline: { name, content: getContent(state.file) } });
}

export function withUrls(urls: readonly string[]): Update {
  return (state) => keepSelected({ ...state, urls: urls.slice(0, MAX_URLS), hasOwnUrls: true });
}

export function withCrawlers(crawlers: readonly string[]): Update {
  return (state) => keepSelected({ ...state, crawlers: [...new Set(crawlers)].slice(0, MAX_CRAWLERS) });
}

/** Changes the profile. An unknown name changes nothing. */
export function withProfile(profile: string): Update {
  return (state) => (findProfile(profile) === undefined ? state : { ...state, profile });
}

/** Replaces several sources. */
export function withSources(sources: Partial<SourceTexts>): Update {
  return (state) => ({ ...state, sources: limitSources({ ...state.sources, ...sources }) });
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

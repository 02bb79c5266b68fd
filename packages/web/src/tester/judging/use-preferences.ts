// Preferences of crawlers as hooks: the table of a URL, the URLs whose table differs, and the details of a cell.
import { isPreferenceMeta } from '@maycrawl/core/preferences';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { addCommonCrawlers } from '../state/crawlers.ts';
import { readSourceTexts, type SourceInput } from '../state/declaration-sources.ts';
import type { PageState } from '../state/page-state.ts';
import type { Judge } from './judge.ts';
import type { FileInput } from './messages.ts';
import type { PreferencePlan, PreferenceWishes } from './plan-preferences.ts';
import type { CrawlerPreferences, PreferenceDetails } from './preferences.ts';
import { useProof } from './use-results.ts';

/** What preferences are read from, and for whom. The properties are the same objects until they change. */
export interface PreferenceInput {
  readonly file: FileInput;
  readonly sources: SourceInput;
  readonly url: string;
  readonly crawlers: readonly string[];
}

/** The input of the page; the same object until it changes. */
export function usePreferenceInput(state: PageState, file: FileInput): PreferenceInput {
  const sources = useMemo(() => readSourceTexts(state.sources, readMetas), [state.sources]);
  const crawlers = useMemo(() => addCommonCrawlers(state.crawlers), [state.crawlers]);
  const url = state.urls[state.selected.row] ?? '';
  return useMemo(() => ({ file, sources, url, crawlers }), [file, sources, url, crawlers]);
}

export interface UrlPreferences {
  /** What they were read from. */
  readonly input: PreferenceInput;
  readonly rows: readonly CrawlerPreferences[];
}

/** The rows of the URL; those before the last change while they are read; `null` before the first result. */
export function usePreferenceTable(judge: Judge, input: PreferenceInput): UrlPreferences | null {
  const [table, setTable] = useState<UrlPreferences | null>(null);
  useEffect(() => {
    const { file, sources, url, crawlers } = input;
    const request = { kind: 'preference-table', file, sources, urls: [url], crawlers, time: null } as const;
    return judge.request('preferences', request, ({ urls: [rows = []] }) => setTable({ input, rows }));
  }, [judge, input]);
  return table;
}

/** Other URLs of the list that are compared, and milliseconds for that. */
const MAX_OTHERS = 200;
const TIME_FOR_OTHERS = 3_000;

/** How the tables of other URLs compare with that of the chosen one. */
export interface OtherUrls {
  readonly compared: number;
  /** Other URLs of the list that were not compared. */
  readonly omitted: number;
  readonly different: readonly string[];
}

/** Compares the other URLs of a list, when the table of the chosen one is there. */
export function useOtherUrls(
  judge: Judge,
  input: PreferenceInput,
  list: readonly string[],
  chosen: UrlPreferences | null,
): OtherUrls | null {
  const [result, setResult] = useState<OtherUrls | null>(null);
  useEffect(() => {
    setResult(null);
    if (chosen?.input !== input) return;
    const { file, sources, url, crawlers } = input;
    const others = list.filter((each) => each !== url);
    const urls = others.slice(0, MAX_OTHERS);
    const request = {
      kind: 'preference-table',
      file,
      sources,
      urls,
      crawlers,
      time: TIME_FOR_OTHERS,
    } as const;
    return judge.request('preferences-of-others', request, (table) => {
      const compared = table.urls.length;
      const different = urls.filter((_, at) => at < compared && !isSame(table.urls[at] ?? [], chosen.rows));
      setResult({ compared, omitted: others.length - compared, different });
    });
  }, [judge, input, list, chosen]);
  return result;
}

function isSame(a: readonly CrawlerPreferences[], b: readonly CrawlerPreferences[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Everything that is declared for one crawler; `null` before the first result. */
export function usePreferenceDetails(
  judge: Judge,
  { file, sources, url }: Omit<PreferenceInput, 'crawlers'>,
  crawler: string | null,
): PreferenceDetails | null {
  const [details, setDetails] = useState<PreferenceDetails | null>(null);
  useEffect(() => {
    if (crawler === null) setDetails(null);
    else
      judge.request(
        'preference-details',
        { kind: 'preference-details', file, sources, crawler, url },
        setDetails,
      );
  }, [judge, file, sources, crawler, url]);
  return crawler === null ? null : details;
}

/** The edit that declares wishes; `null` while it is computed, or without wishes. */
export function usePreferencePlan(file: FileInput, wishes: PreferenceWishes | null): PreferencePlan | null {
  const request = useMemo(
    () => (wishes === null ? null : ({ kind: 'preferences', file, wishes } as const)),
    [file, wishes],
  );
  const result = useProof(request);
  if (result?.kind === 'failed') return { kind: 'refused', message: result.message, limits: [] };
  return result?.plan ?? null;
}

/** Meta elements that are read. */
const MAX_METAS = 1_000;

/** Reads the meta elements that can state a preference, with the parser of the browser, which loads and runs nothing. */
function readMetas(html: string): { readonly name: string; readonly content: string }[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return Array.from(page.querySelectorAll('meta[name]'), (meta) => ({
    name: meta.getAttribute('name') ?? '',
    content: meta.getAttribute('content') ?? '',
  }))
    .filter(({ name, content }) => isPreferenceMeta(name, content))
    .slice(0, MAX_METAS);
}

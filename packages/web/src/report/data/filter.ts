/**
 * Which URLs the table shows, and in which order.
 *
 * @module
 */

import { STANDINGS, type Standing, standingOf } from '../words.tsx';
import { REASONS, STATES, type State } from './head.ts';
import type { ReportData } from './report-data.ts';

/** What is shown. Empty texts: all. */
export interface Filter {
  /** In the URL or the title. */
  readonly text: string;
  /** A reason that applies, `indexable`, `not-indexable`, `hidden`, `conflict` or `unjudged`. */
  readonly reason: string;
  readonly state: State | '';
  /** A status, `none`, or `2xx` and so on. */
  readonly status: string;
  readonly sitemap: 'in' | 'out' | '';
}

export const ALL: Filter = { text: '', reason: '', state: '', status: '', sitemap: '' };

export type Column = 'url' | 'verdict' | 'status' | 'depth' | 'links' | 'sitemap' | 'time' | 'title';

export interface Sorting {
  readonly column: Column;
  readonly descending: boolean;
}

/** The places of the URLs that pass, in the order that was asked for. */
export function selectUrls(data: ReportData, agent: number, filter: Filter, sorting: Sorting): Uint32Array {
  const passes = testFor(data, agent, filter);
  const found = new Uint32Array(data.count);
  let count = 0;
  for (let place = 0; place < data.count; place++) if (passes(place)) found[count++] = place;
  return sort(data, agent, found.subarray(0, count), sorting);
}

type Test = (place: number) => boolean;

function testFor(data: ReportData, agent: number, filter: Filter): Test {
  const tests: Test[] = [];
  const { text, reason, state, status, sitemap } = filter;
  if (state !== '') {
    const number = STATES.indexOf(state);
    tests.push((place) => data.states[place] === number);
  }
  if (reason !== '') tests.push(reasonTest(data, agent, reason));
  if (status !== '') {
    const matches = statusTest(status);
    tests.push((place) => !data.isBlocked(place, agent) && matches(data.statuses[place] as number));
  }
  if (sitemap !== '') tests.push((place) => data.isInSitemap(place) === (sitemap === 'in'));
  if (text.trim() !== '') {
    const words = text.toLowerCase().trim().split(/\s+/);
    const { texts } = data;
    tests.push((place) => words.every((word) => texts[place]?.includes(word)));
  }
  return (place) => tests.every((test) => test(place));
}

function reasonTest(data: ReportData, agent: number, reason: string): Test {
  if (reason === 'conflict')
    return (place) => !data.isBlocked(place, agent) && data.canonical(place)?.kind === 'conflict';
  const bit = (REASONS as readonly string[]).indexOf(reason);
  // Verdicts are few, URLs are many.
  const passing = data.head.verdicts.map((each) => {
    const verdict = each[agent];
    if (!verdict) return reason === 'unjudged';
    const [reasons, hidden] = verdict;
    if (reason === 'indexable') return reasons === 0;
    if (reason === 'not-indexable') return reasons !== 0;
    if (reason === 'hidden') return hidden !== 0;
    return bit >= 0 && (reasons & (1 << bit)) !== 0;
  });
  return (place) => passing[data.verdicts[place] as number] ?? reason === 'unjudged';
}

function statusTest(status: string): (code: number) => boolean {
  if (status === 'none') return (code) => code < 0;
  if (/^\dxx$/.test(status)) return (code) => Math.floor(code / 100) === Number(status[0]);
  return (code) => code === Number(status);
}

function sort(
  data: ReportData,
  agent: number,
  places: Uint32Array,
  { column, descending }: Sorting,
): Uint32Array {
  if (column === 'url') return descending ? places.reverse() : places;
  const key = keyFor(data, agent, column);
  const sign = descending ? -1 : 1;
  if (column === 'title') {
    const titles = Array.from(places, (place) => data.title(place) ?? '');
    const order = Uint32Array.from(places.keys()).sort((a, b) => {
      const [one, other] = [titles[a] as string, titles[b] as string];
      return one === other ? 0 : one < other ? -sign : sign;
    });
    return order.map((at) => places[at] as number);
  }
  return places.sort((a, b) => sign * (key(a) - key(b)) || a - b);
}

function keyFor(data: ReportData, agent: number, column: Column): (place: number) => number {
  switch (column) {
    case 'status':
      return (place) => data.statuses[place] as number;
    // Where none leads is deeper than everything.
    case 'depth':
      return (place) => (data.depths[place] as number) >>> 0;
    case 'links':
      return (place) => data.links[place] as number;
    case 'time':
      return (place) => data.milliseconds[place] as number;
    case 'sitemap':
      return (place) => (data.isInSitemap(place) ? 0 : 1);
    default: {
      const ranks = data.head.verdicts.map((each) => STANDINGS.indexOf(standingOf(each[agent] ?? null)));
      const last = STANDINGS.indexOf('unjudged' satisfies Standing);
      return (place) => ranks[data.verdicts[place] as number] ?? last;
    }
  }
}

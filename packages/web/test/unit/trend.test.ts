import type { NamedRunPoint } from 'maycrawl/api';
import { expect, test } from 'vitest';
import {
  createErrorSeries,
  createPoints,
  describeErrors,
  findPauses,
  listAgents,
  sumErrors,
} from '../../src/audits/trend/trend-data.ts';

const REASONS = {
  blocked: 0,
  unreachable: 0,
  error: 0,
  redirect: 0,
  'not-found': 0,
  noindex: 0,
  canonicalised: 0,
};

/** A run with errors by code. */
function createRun(
  name: string,
  errors: Readonly<Record<string, number>>,
  more: Partial<NamedRunPoint> = {},
): NamedRunPoint {
  const findings = Object.entries(errors).map(([code, count]) => ({
    code,
    severity: 'error' as const,
    count,
    title: '',
  }));
  return {
    ...{
      name,
      hasReport: true,
      starts: ['https://a.example/'],
      startedAt: '2026-11-01T00:00:00.000Z',
      endedAt: null,
    },
    ...{ state: 'complete', ending: '', comparedWith: null, changes: [] },
    agents: [
      {
        ...{ agent: 'Googlebot', judged: 10, indexable: 7, reasons: { ...REASONS, noindex: 2, blocked: 1 } },
        findings: [...findings, { code: 'orphan', severity: 'info', count: 9, title: '' }],
      },
    ],
    ...more,
  };
}

const RUNS = [
  createRun('1', { 'redirect-loop': 2 }),
  createRun('2', { 'redirect-loop': 1 }, { state: 'unfinished' }),
  createRun('3', { 'broken-link': 1 }, { state: 'limited' }),
  createRun('4', {}, { agents: [] }),
];

test('the parts of a column are the outcomes that occur; a run that did not finish has no numbers', () => {
  const points = createPoints(RUNS, 'Googlebot');
  expect(
    points.map(({ counts }) => counts?.parts.map(({ outcome, count }) => `${outcome} ${count}`)),
  ).toEqual([
    ['indexable 7', 'blocked 1', 'noindex 2'],
    undefined,
    ['indexable 7', 'blocked 1', 'noindex 2'],
    undefined,
  ]);
  expect(points.map(sumErrors)).toEqual([2, null, 1, null]);
  expect(listAgents(RUNS)).toEqual(['Googlebot']);
});

test('errors are counted by kind, those of the last run first', () => {
  expect(createErrorSeries(createPoints(RUNS, 'Googlebot'))).toEqual([
    { code: 'broken-link', counts: [0, null, 1, null] },
    { code: 'redirect-loop', counts: [2, null, 0, null] },
  ]);
  expect([0, 1, 1234].map((count) => describeErrors('redirect-loop', count))).toEqual([
    '0 redirects lead into a loop',
    '1 redirect leads into a loop',
    '1,234 redirects lead into a loop',
  ]);
  expect(describeErrors('later-\u202ekind', 2)).toBe('2 later-\\u{202e}kind');
});

test('a pause is much longer than the usual time between two audits', () => {
  const find = (...days: readonly number[]): number[] =>
    findPauses(
      createPoints(
        days.map((day) =>
          createRun(String(day), {}, { startedAt: new Date(Date.UTC(2026, 0, day)).toISOString() }),
        ),
        'Googlebot',
      ),
    );
  expect(find(1, 2, 3, 33, 34, 35, 37, 40)).toEqual([3, 7]);
  expect(find(1, 8, 15, 22)).toEqual([]);
  expect(find(1)).toEqual([]);
  expect(find()).toEqual([]);
  expect(find(1, 1, 1)).toEqual([]);
});

import { join } from 'node:path';
import { parse } from '@maycrawl/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { type ReplayChange, replay } from '../../../src/audit/report/replay/replay.ts';
import { type Answer, html, makeRun, type Site } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';

const folder = createTestFolder('replay');
const ORIGIN = 'https://site.example';
const AGENTS = ['Googlebot', 'GPTBot'];
let runs = 0;

async function readChanges(site: Site, robots: string): Promise<ReplayChange[]> {
  const run = await makeRun(join(folder, `${runs++}.sqlite`), site);
  const changes = [...replay(run, { robots: Buffer.from(robots) })];
  run.close();
  return changes;
}

/** The links of the pages `/0`, `/1`, ...; `/0` is the start. */
type Graph = readonly (readonly number[])[];

const createSite = (graph: Graph, robots: string, listed: readonly number[]): Site => ({
  start: `${ORIGIN}/0`,
  agents: AGENTS,
  robots,
  sitemaps: { [`${ORIGIN}/map.xml`]: listed.map((page) => `${ORIGIN}/${page}`) },
  answers: Object.fromEntries(
    graph.map((links, page): [string, Answer] => [
      `${ORIGIN}/${page}`,
      page % 5 === 4 && links[0] !== undefined
        ? { status: 301, headers: { location: `/${links[0]}` } }
        : {
            body: html(
              `Page ${page}`,
              links.map((to) => `/${to}`),
            ),
          },
    ]),
  ),
});

/** Returns the pages that one crawler reaches in the graph by depth-first search. */
function walk(
  graph: Graph,
  listed: readonly number[],
  may: (page: number) => boolean,
  known: (page: number) => boolean,
) {
  const reached = new Set<number>();
  const visit = (page: number): void => {
    if (reached.has(page)) return;
    reached.add(page);
    if (!may(page) || !known(page)) return;
    const links = graph[page] ?? [];
    for (const to of page % 5 === 4 && links.length > 0 ? links.slice(0, 1) : links) visit(to);
  };
  for (const page of [0, ...listed]) visit(page);
  return reached;
}

function replayByGraph(graph: Graph, before: string, after: string, listed: readonly number[]): string[] {
  const mayIn = (file: string, agent: string) => (page: number) =>
    parse(file).ruleset(agent).decide(`${ORIGIN}/${page}`).kind === 'allowed';
  // The run fetched the reachable pages that any of its crawlers may fetch.
  const fetched = new Set<number>();
  const anyMay = (page: number): boolean => AGENTS.some((agent) => mayIn(before, agent)(page));
  const reached = walk(graph, listed, anyMay, () => true);
  for (const page of reached) if (anyMay(page)) fetched.add(page);
  const changes: string[] = [];
  for (const agent of AGENTS) {
    const [mayBefore, mayAfter] = [mayIn(before, agent), mayIn(after, agent)];
    const isKnown = (page: number): boolean => fetched.has(page);
    const old = walk(graph, listed, mayBefore, isKnown);
    const now = walk(graph, listed, mayAfter, isKnown);
    for (const page of reached) {
      const had = old.has(page) && mayBefore(page) && isKnown(page);
      const has = now.has(page) && mayAfter(page) && isKnown(page);
      const isNew = now.has(page) && mayAfter(page) && !isKnown(page);
      if (had && !has) changes.push(`${agent} ${page} lost ${mayAfter(page) ? 'unlinked' : 'blocked'}`);
      if (!had && has) changes.push(`${agent} ${page} gained seen`);
      if (isNew) changes.push(`${agent} ${page} gained unseen`);
    }
  }
  return changes.sort();
}

const getPath = (url: string): string => url.slice(ORIGIN.length + 1);
const formatChange = (change: ReplayChange): string =>
  `${change.agent} ${getPath(change.url)} ${change.kind} ${change.kind === 'lost' ? change.cause : change.seen ? 'seen' : 'unseen'}`;

test('a random site with two random files has the same changes as a graph search', async () => {
  const page = fc.nat({ max: 11 });
  const rules = fc.array(fc.tuple(fc.constantFrom('Disallow', 'Allow'), page), { maxLength: 5 });
  const file = fc.tuple(rules, fc.option(rules)).map(([all, own]) => {
    const group = (agent: string, lines: readonly (readonly [string, number])[]): string =>
      `User-agent: ${agent}\n${lines.map(([field, number]) => `${field}: /${number}$\n`).join('')}\n`;
    return group('*', all) + (own === null ? '' : group('GPTBot', own));
  });
  const graph = fc.array(fc.array(page, { maxLength: 3 }), { minLength: 12, maxLength: 12 });
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(
      graph,
      file,
      file,
      fc.array(page, { maxLength: 2 }),
      async (links, before, after, listed) => {
        const changes = await readChanges(createSite(links, before, listed), after);
        expect(changes.map(formatChange).sort()).toEqual(replayByGraph(links, before, after, listed));
        changed += changes.length;
      },
    ),
    { numRuns: getFuzzRuns(60) },
  );
  expect(changed).toBeGreaterThan(100);
});

test('changes have the blocking line, the former verdict, and whether the page was fetched', async () => {
  const site = createSite([[1, 2, 3], [4], [], [], [], []], 'User-agent: *\nDisallow: /2\n', []);
  const changes = await readChanges(site, '# new\nUser-agent: *\nDisallow: /1\n');
  expect(changes.filter(({ agent }) => agent === 'Googlebot')).toEqual([
    {
      ...{
        kind: 'lost',
        url: `${ORIGIN}/1`,
        agent: 'Googlebot',
        cause: 'blocked',
        line: 3,
        rule: 'Disallow: /1',
      },
      ...{ reason: null, wasIndexable: true },
    },
    { kind: 'gained', url: `${ORIGIN}/2`, agent: 'Googlebot', seen: false },
    {
      ...{ kind: 'lost', url: `${ORIGIN}/4`, agent: 'Googlebot', cause: 'unlinked', line: 0, rule: null },
      ...{ reason: null, wasIndexable: true },
    },
  ]);
});

test('crawlers without verdicts in the run can be replayed, also more than one batch of crawlers', async () => {
  const site = createSite([[1], []], '', []);
  const run = await makeRun(join(folder, 'agents.sqlite'), site);
  const agents = Array.from({ length: 20 }, (_, index) => `bot-${'abcdefghijklmnopqrst'[index]}`);
  const robots = Buffer.from('User-agent: bot-t\nDisallow: /1\n');
  const changes = [...replay(run, { robots, agents })];
  run.close();
  expect(changes).toMatchObject([
    { kind: 'lost', agent: 'bot-t', url: `${ORIGIN}/1`, line: 2, reason: null },
  ]);
});

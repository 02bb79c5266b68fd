import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluateRun } from '../../../src/audit/evaluate-run.ts';
import { LINK_TYPES } from '../../../src/audit/run/records/link-list.ts';
import type { Rendering } from '../../../src/audit/run/records/rendering.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { link } from '../../support/stored-pages.ts';

const ORIGIN = 'https://shop.example';

test('only crawlers that run scripts reach a page by the link of a script, however many crawlers there are', async () => {
  // The crawlers are searched for in groups of 16.
  const others = Array.from({ length: 15 }, (_, index) => `Example${index}bot`);
  const agents = ['DuckDuckBot', ...others, 'Googlebot', 'Applebot'];
  const run = await makeRun(join(createTestFolder('reach'), 'run.sqlite'), {
    ...{ start: `${ORIGIN}/`, agents },
    answers: { [`${ORIGIN}/`]: { body: html('Home') }, [`${ORIGIN}/new`]: { body: html('New') } },
    sitemaps: { [`${ORIGIN}/sitemap.xml`]: [`${ORIGIN}/new`] },
  });
  const facts = { title: 'Home', robots: [], canonicals: [] };
  const none = { count: 0, urls: [] };
  const rendering: Rendering = {
    ...{ key: run.findKey(`${ORIGIN}/`) as number, at: 5, milliseconds: 6 },
    outcome: {
      ...({ kind: 'rendered', before: facts, after: facts, added: none, removed: none } as const),
      ...{ redirect: null, refused: [], requests: 0, isStopped: false },
    },
  };
  const named = [link(`${ORIGIN}/new`, LINK_TYPES.link, 'New')];
  run.recordRendering(rendering, { depth: 0, named, classify: () => ({ state: 'waiting' }) });
  await evaluateRun(run, Date.UTC(2026, 10, 21));
  const unreached = agents.filter((_, place) => [...run.findings.list('orphan', place)].length > 0);
  run.close();
  expect(unreached).toEqual(agents.filter((agent) => agent !== 'Googlebot' && agent !== 'Applebot'));
});

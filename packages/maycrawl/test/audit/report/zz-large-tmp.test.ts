import { mkdirSync, statSync, rmSync } from 'node:fs';
import { test } from 'vitest';
import { makeRun } from '/work/main/packages/maycrawl/test/support/audit-runs.ts';
import { largeSite } from '/work/main/packages/web/test/page/support/large-site.ts';
import { writeReports } from '/work/main/packages/maycrawl/src/audit/report/write-report.ts';
import { openRun } from '/work/main/packages/maycrawl/src/audit/run/open-run.ts';
test('large', async () => {
  rmSync('/tmp/report/large', {recursive: true, force: true}); mkdirSync('/tmp/report/large');
  let t = Date.now();
  const lap = (n: string) => { console.log(n, Date.now() - t, 'ms rss', Math.round(process.memoryUsage().rss/1e6)); t = Date.now(); };
  const run = await makeRun('/tmp/report/large/run.sqlite', largeSite(100_000)); lap('make');
  await run.close();
  const r = await openRun('/tmp/report/large/run.sqlite', 'read');
  const f = '/tmp/report/large/';
  for (const k of ['html','csv','ndjson'] as const) { await writeReports(r, { [k]: `${f}run.${k}` }, { name: 'large' }); lap(k); console.log(statSync(`${f}run.${k}`).size/1e6,'MB'); }
}, 300000);

// A worker that crawls in a run in PostgreSQL: database, name of the run, lease in milliseconds, starts.
import { crawl } from '../../dist/audit/crawl/crawl.js';
import { openPostgresRun } from '../../dist/audit/run/postgres/open-postgres-run.js';

const [database, name, lease, ...starts] = process.argv.slice(2);
const run = await openPostgresRun(database, name, 'join', { lease: Number(lease) });
const settings = {
  ...{ starts, agents: ['Googlebot'], scope: 'host', maxPages: null, maxDepth: null, maxAlike: null },
  ...{ include: [], exclude: [], sitemaps: false, isRobotsGiven: false, profile: 'google', startedAt: 0 },
};
await run.set('settings', settings);
const end = await crawl({
  ...{ run, settings, userAgent: 'maycrawl', concurrency: 2, spacing: 5, obeysCrawlDelay: false },
  ...{ timeout: 5_000, allowPrivate: true, signal: new AbortController().signal, now: Date.now },
});
await run.close();
process.stdout.write(end.why);

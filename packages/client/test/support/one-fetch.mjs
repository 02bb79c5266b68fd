// Fetches once, tells what came of it and when, and ends when nothing is left to do.
import { fetchRobotsTxt } from '@maycrawl/client';

const [url, timeout] = process.argv.slice(2);
const start = performance.now();
const { kind } = await fetchRobotsTxt(url, { timeout: Number(timeout) });
process.stdout.write(JSON.stringify({ kind, took: performance.now() - start }));

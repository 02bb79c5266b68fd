// Fetches once, prints the result and its duration, and exits when nothing keeps the process alive.
import { fetchRobotsTxt } from '@maycrawl/client';

const [url, timeout] = process.argv.slice(2);
const start = performance.now();
const { kind } = await fetchRobotsTxt(url, { timeout: Number(timeout) });
process.stdout.write(JSON.stringify({ kind, took: performance.now() - start }));

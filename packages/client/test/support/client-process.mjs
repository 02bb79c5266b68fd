// A process with a client that shares a SQLite file or a database with others: 1,000 concurrent callers for one origin.
import { openPostgresStore, openSqliteStore, RobotsClient } from '@maycrawl/client';

const [place, origin] = process.argv.slice(2);
const store = await (place.startsWith('postgres:') ? openPostgresStore(place) : openSqliteStore(place));
const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot', store });
const verdicts = await Promise.all(
  Array.from({ length: 1000 }, (_, index) => client.decide(`${origin}/private/${index}`)),
);
const counts = { allowed: 0, disallowed: 0 };
for (const { kind } of verdicts) counts[kind]++;
await store.close();
process.send(counts, () => process.disconnect());

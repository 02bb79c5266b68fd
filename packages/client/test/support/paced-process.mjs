// A process with a client that shares its pace with others through a SQLite file: it fetches pages of one origin, one after another.
import { openSqliteStore, RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';

const [place, origin, name, count] = process.argv.slice(2);
const store = await openSqliteStore(place);
const client = new RobotsClient({
  agent: 'TestBot',
  userAgent: 'TestBot',
  store,
  pace: { shared: true, spacing: 200 },
});
const fetch = createRobotsFetch(client);
for (let page = 0; page < Number(count); page++)
  await (await fetch(`${origin}/${name}/${page}`)).arrayBuffer();
await client.idle();
await store.close();

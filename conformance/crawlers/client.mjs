// A crawler with @maycrawl/client. The arguments are its product token, the profile, and start pages.
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';

const [agent, profile, ...starts] = process.argv.slice(2);
const client = new RobotsClient({
  agent,
  userAgent: `${agent}/1.0`,
  profile,
  timeout: 2_000,
  allowPrivateAddresses: true,
});
const robotsFetch = createRobotsFetch(client);

/** Requests a page and those that it links to. A refusal is an error. */
async function visit(url, depth) {
  const response = await robotsFetch(url).catch(() => undefined);
  const text = (await response?.text()) ?? '';
  if (depth === 0) return;
  for (const [, link] of text.matchAll(/href="([^"]+)"/g)) await visit(new URL(link, url).href, depth - 1);
}

for (const start of starts) await visit(start, 1);
await client.close?.();

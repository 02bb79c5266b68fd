// Fetches a page and the pages that it links to, as far as robots.txt allows:
//
//   node examples/fetch.mjs https://example.com/
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch, ForbiddenUrlError } from '@maycrawl/client/fetch';

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error('usage: node examples/fetch.mjs <URL>');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
const client = new RobotsClient({ agent: 'MyBot', userAgent });

// It has the interface of fetch. The client caches each robots.txt: use one client for the whole crawl.
const fetch = createRobotsFetch(client);

/** Fetches a page, and prints its status or the error. */
async function visit(url, base) {
  try {
    const response = await fetch(new URL(url, base), { headers: { 'user-agent': userAgent } });
    console.log(response.status, response.url);
    return { url: response.url, text: await response.text() };
  } catch (error) {
    // A forbidden page is not requested. Other errors are those of fetch, such as a refused connection.
    console.log(error instanceof ForbiddenUrlError ? error.message : `${url} failed: ${error.message}`);
    return { url, text: '' };
  }
}

const page = await visit(start);
const links = [...page.text.matchAll(/<a\s[^>]*href="([^"#]+)/g)].map(([, link]) => link);
for (const link of new Set(links)) await visit(link, page.url);

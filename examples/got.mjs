// Fetches a page and the pages that it links to with got, as far as robots.txt allows (npm install got@14):
//
//   node examples/got.mjs https://example.com/
import { ForbiddenUrlError, RobotsClient } from '@maycrawl/client';
import gotClient from 'got';

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error('usage: node examples/got.mjs <URL>');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
const client = new RobotsClient({ agent: 'MyBot', userAgent });

// client.pace decides about the first URL, and waits for its turn. A hook decides about the targets of redirects. The queue retries, not got.
const got = gotClient.extend({
  headers: { 'user-agent': userAgent },
  retry: { limit: 0 },
  hooks: {
    beforeRedirect: [
      async ({ url }, { requestUrl }) => {
        const verdict = await client.decide(url, { redirectedFrom: requestUrl });
        if (verdict.kind !== 'allowed') throw new ForbiddenUrlError(url.href, verdict);
      },
    ],
  },
});

/** Fetches a page, and prints its status or the error. */
async function visit(url, base) {
  try {
    const target = new URL(url, base);
    const response = await client.pace(target, () => got(target));
    console.log(response.statusCode, response.url);
    return { url: response.url, text: response.body };
  } catch (thrown) {
    // HTTP clients wrap the errors of their hooks. A queue drops a page whose refusal is final, and puts it back until retryAt if
    // the refusal is temporary.
    const error = findRefusal(thrown) ?? thrown;
    console.log('temporary' in error ? error.message : `${url} failed: ${error.message}`);
    return { url, text: '' };
  }
}

function findRefusal(error) {
  return error === undefined || 'temporary' in error ? error : findRefusal(error.cause);
}

const page = await visit(start);
const links = [...page.text.matchAll(/<a\s[^>]*href="([^"#]+)/g)].map(([, link]) => link);
for (const link of new Set(links)) await visit(link, page.url);

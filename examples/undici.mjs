// Fetches a page and the pages that it links to with undici, as far as robots.txt allows (npm install undici@7):
//
//   node examples/undici.mjs https://example.com/
import { RobotsClient } from '@maycrawl/client';
import { robots } from '@maycrawl/client/undici';
import { Agent, interceptors, request } from 'undici';

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error('usage: node examples/undici.mjs <URL>');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
// An interceptor does not know whether a URL is the start or the target of a redirect: private addresses are allowed if the start is one.
const allowPrivateAddresses = new URL(start).hostname === '127.0.0.1';
const client = new RobotsClient({ agent: 'MyBot', userAgent, allowPrivateAddresses });

// The interceptor comes before that of redirects, so that it checks each hop.
const dispatcher = new Agent().compose(robots(client), interceptors.redirect({ maxRedirections: 5 }));

/** Fetches a page, and prints its status or the error. */
async function visit(url, base) {
  try {
    const { statusCode, body, context } = await request(new URL(url, base), { dispatcher });
    const last = context?.history?.at(-1)?.href ?? new URL(url, base).href;
    console.log(statusCode, last);
    return { url: last, text: await body.text() };
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

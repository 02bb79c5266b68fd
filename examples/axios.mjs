// Fetches a page and the pages that it links to with axios, as far as robots.txt allows (npm install axios@1):
//
//   node examples/axios.mjs https://example.com/
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';
import axios from 'axios';

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error('usage: node examples/axios.mjs <URL>');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
const client = new RobotsClient({ agent: 'MyBot', userAgent });

// axios sends its requests by this fetch, which checks redirects and keeps the pace. What it sends by Node's http would not be checked.
const http = axios.create({
  adapter: 'fetch',
  env: { fetch: createRobotsFetch(client), Request: null, Response },
  headers: { 'user-agent': userAgent },
});

/** Fetches a page, and prints its status or the error. */
async function visit(url, base) {
  try {
    const { status, data, request } = await http.get(new URL(url, base).href, { responseType: 'text' });
    const last = request?.responseURL ?? new URL(url, base).href;
    console.log(status, last);
    return { url: last, text: data };
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

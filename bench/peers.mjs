// The libraries for comparison, with one interface: `prepare(bytes)` parses (it may return a promise),
// `allowed(prepared, token, url)` decides. Libraries that only accept strings get the bytes decoded as UTF-8.
import { Readable } from 'node:stream';
import { parse } from '@maycrawl/core';
import { RobotsTxt } from 'exclusion';
import robotsParser from 'robots-parser';
import guard from 'robots-txt-guard';
import parseStream from 'robots-txt-parse';
import robotsTxtParser from 'robots-txt-parser';

const decode = (bytes) => new TextDecoder().decode(bytes);

// With the `?` of an empty query, which URL.search omits.
const getPath = (url) => new URL(url).href.replace(/^\w+:\/\/[^/]+/, '').replace(/#.*/, '');

export const PEERS = [
  {
    name: 'maycrawl',
    prepare: (bytes) => parse(bytes),
    allowed: (robots, token, url) => robots.ruleset(token).decide(url).kind === 'allowed',
  },
  {
    name: 'robots-parser',
    prepare: (bytes) => robotsParser('http://example.com/robots.txt', decode(bytes)),
    allowed: (robots, token, url) => robots.isAllowed(url, token) === true,
  },
  {
    name: 'robots-txt-parser',
    prepare: (bytes) => {
      const robots = robotsTxtParser({ allowOnNeutral: true });
      robots.parseRobots('http://example.com', decode(bytes));
      return robots;
    },
    allowed: (robots, token, url) => {
      robots.setUserAgent(token);
      return robots.canCrawlSync(url) === true;
    },
  },
  {
    name: 'robots-txt-parse + robots-txt-guard',
    isAsync: true,
    prepare: async (bytes) => guard(await parseStream(Readable.from([bytes]))),
    allowed: (robots, token, url) => robots.isAllowed(token, getPath(url)) === true,
  },
  {
    name: 'exclusion',
    prepare: (bytes) => new RobotsTxt(decode(bytes)),
    allowed: (robots, token, url) => robots.isPathAllowed(getPath(url), token) === true,
  },
];

/** Crawlee, which decides with robots-parser; no measurement needs it. */
export const CRAWLEE = {
  name: 'Crawlee',
  prepare: async (bytes) => {
    const { RobotsTxtFile } = await import('@crawlee/utils');
    return RobotsTxtFile.from('http://example.com/robots.txt', decode(bytes));
  },
  allowed: (robots, token, url) => robots.isAllowed(url, token) === true,
};

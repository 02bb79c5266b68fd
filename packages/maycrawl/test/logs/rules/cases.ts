// Labelled cases of the classes of requests, each with its reason.
import type { ReadState, RequestClass } from '../../../src/logs/rules/classify.ts';

/** A request of a case. */
export interface CaseRequest {
  /** RFC 3339, or a time of 2026-11-20 as `10:00`. */
  readonly at: string;
  readonly target: string;
  /** @defaultValue 200 */
  readonly status?: number | null;
  /** @defaultValue `GET` */
  readonly method?: string;
  /** @defaultValue `GPTBot` */
  readonly crawler?: string;
  /** @defaultValue `false` */
  readonly isSpoofed?: boolean;
}

export interface ClassCase {
  readonly title: string;
  /** Why the class is the right one. */
  readonly reason: string;
  /** A file that was always served, or versions by the time from which they were served. */
  readonly robots: string | Readonly<Record<string, string>>;
  /** The first line of the log. @defaultValue a month before */
  readonly logStart?: string;
  /** Requests before the last one. */
  readonly before?: readonly CaseRequest[];
  /** The request whose class is expected. */
  readonly request: CaseRequest;
  readonly class: RequestClass;
  /** Of a violation. */
  readonly read?: ReadState;
  readonly line?: number;
  /** The name of the version, which is its time. */
  readonly version?: string;
}

const CLOSED = 'User-agent: *\nDisallow: /s\n';
const OPEN = 'User-agent: *\nDisallow:\n';
const fetch = (at: string, status: number | null = 200): CaseRequest => ({
  at,
  target: '/robots.txt',
  status,
});

/** An edit that closes /s at noon. */
const EDIT = { '2026-11-01': OPEN, '2026-11-20T12:00:00Z': CLOSED };
/** An edit that opens /s at noon. */
const OPENING = { '2026-11-01': CLOSED, '2026-11-20T12:00:00Z': OPEN };

export const CLASS_CASES: readonly ClassCase[] = [
  {
    title: 'a request for /robots.txt',
    reason: 'Each crawler may request it, whatever the rules say.',
    robots: 'User-agent: *\nDisallow: /\n',
    request: fetch('10:00'),
    class: 'robots-txt',
  },
  {
    title: 'a request for /robots.txt with the method HEAD',
    reason: 'The class follows from the path.',
    robots: CLOSED,
    request: { ...fetch('10:00'), method: 'HEAD' },
    class: 'robots-txt',
  },
  {
    title: '/robots.txt with a query',
    reason: 'Only /robots.txt at the root is the file of the site: this is an ordinary URL.',
    robots: 'User-agent: *\nDisallow: /robots.txt?\n',
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/robots.txt?x' },
    class: 'violation',
    read: 'yes',
    line: 2,
  },
  {
    title: 'a URL that no rule matches',
    reason: 'The crawler read the file an hour ago, and the file allows the URL.',
    robots: CLOSED,
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/a' },
    class: 'allowed',
  },
  {
    title: 'a disallowed URL, an hour after the fetch',
    reason: 'The version that the crawler has read forbids it.',
    robots: CLOSED,
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
    line: 2,
  },
  {
    title: 'a disallowed URL, after a fetch with status 304',
    reason: 'Not Modified confirms the copy of the crawler: it has the version that was served then.',
    robots: CLOSED,
    before: [fetch('09:00', 304)],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL that the server redirects',
    reason: 'A redirect does not excuse a request that the rules forbid.',
    robots: CLOSED,
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/shop', status: 301 },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL with status 404',
    reason: 'The status of the page does not matter.',
    robots: CLOSED,
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/shop', status: 404 },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a URL that was closed after the fetch',
    reason:
      'The crawler may use its copy for 24 hours, and the copy allows the URL; the newest version does not.',
    robots: EDIT,
    before: [fetch('11:00')],
    request: { at: '13:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a URL that was closed, exactly 24 hours after the fetch',
    reason: 'The copy is valid up to and including the cache period.',
    robots: EDIT,
    before: [fetch('2026-11-20T11:00:00Z')],
    request: { at: '2026-11-21T11:00:00Z', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a URL that was closed, 24 hours and a second after the fetch',
    reason:
      'The copy is too old. Of the versions that were served in the 24 hours before, the older one allows the URL.',
    robots: EDIT,
    before: [fetch('2026-11-20T11:00:00Z')],
    request: { at: '2026-11-21T11:00:01Z', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a URL that was closed more than 24 hours ago, without a fetch since',
    reason: 'Only the new version was served in the 24 hours before, and the log shows no fetch of it.',
    robots: EDIT,
    before: [fetch('2026-11-20T11:00:00Z')],
    request: { at: '2026-11-21T12:00:01Z', target: '/shop' },
    class: 'violation',
    read: 'never',
    line: 2,
    version: '2026-11-20T12:00:00Z',
  },
  {
    title: 'a URL that was closed, a minute after a fetch of the new version',
    reason: 'The crawler has read the version that forbids it.',
    robots: EDIT,
    before: [fetch('11:00'), fetch('12:30')],
    request: { at: '12:31', target: '/shop' },
    class: 'violation',
    read: 'yes',
    version: '2026-11-20T12:00:00Z',
  },
  {
    title: 'a URL that was opened after the fetch',
    reason:
      'The copy of the crawler forbids it. That the newest version allows it was not known to the crawler.',
    robots: OPENING,
    before: [fetch('11:00')],
    request: { at: '13:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
    version: '2026-11-01T00:00:00Z',
  },
  {
    title: 'a URL that was opened less than 24 hours ago, without a fetch',
    reason: 'The crawler may have read the new version, for example by another log.',
    robots: OPENING,
    request: { at: '13:00', target: '/shop' },
    class: 'allowed',
  },
  {
    title: 'a URL that was closed less than 24 hours ago, without a fetch',
    reason: 'The crawler may have read the older version.',
    robots: EDIT,
    request: { at: '13:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a disallowed URL without any fetch in a log of a month',
    reason: 'The log covers the cache period, and shows no fetch.',
    robots: CLOSED,
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'never',
  },
  {
    title: 'a disallowed URL without any fetch in a log that began an hour before',
    reason: 'The crawler may have fetched the file before the log began.',
    robots: CLOSED,
    logStart: '2026-11-20T09:00:00Z',
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'unknown',
  },
  {
    title: 'a disallowed URL without any fetch in a log that began exactly 24 hours before',
    reason: 'The log covers the cache period.',
    robots: CLOSED,
    logStart: '2026-11-19T10:00:00Z',
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'never',
  },
  {
    title: 'a disallowed URL, two days after a fetch of the version that is still served',
    reason: 'The copy is too old, but the crawler has read this version.',
    robots: CLOSED,
    before: [fetch('2026-11-18T10:00:00Z')],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL, after a redirect of robots.txt',
    reason: 'What the crawler read at the target of the redirect is not in the log.',
    robots: CLOSED,
    before: [fetch('09:00', 301)],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'unknown',
  },
  {
    title: 'a redirect of robots.txt after a successful fetch',
    reason: 'A redirect changes nothing: the target is another request.',
    robots: CLOSED,
    before: [fetch('09:00'), fetch('09:30', 302)],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL, after a fetch with status 404',
    reason: 'Without a file there are no restrictions.',
    robots: CLOSED,
    before: [fetch('09:00', 404)],
    request: { at: '10:00', target: '/shop' },
    class: 'allowed',
  },
  {
    title: 'a disallowed URL, a month after a fetch with status 403',
    reason: 'No restrictions from then on, however long ago it was.',
    robots: CLOSED,
    before: [fetch('2026-10-21T09:00:00Z', 403)],
    request: { at: '10:00', target: '/shop' },
    class: 'allowed',
  },
  {
    title: 'a disallowed URL, after a fetch with status 503',
    reason: 'What the crawler does in an outage is the rule of its operator.',
    robots: CLOSED,
    before: [fetch('08:00'), fetch('09:00', 503)],
    request: { at: '10:00', target: '/shop' },
    class: 'outage',
  },
  {
    title: 'an allowed URL, after a fetch with status 429',
    reason: '429 is read as a server error.',
    robots: CLOSED,
    before: [fetch('09:00', 429)],
    request: { at: '10:00', target: '/a' },
    class: 'outage',
  },
  {
    title: 'a disallowed URL, after an outage that ended',
    reason: 'The last fetch counts, and it was successful.',
    robots: CLOSED,
    before: [fetch('08:00', 503), fetch('09:00')],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL, after a file that was absent is there',
    reason: 'The last fetch counts.',
    robots: CLOSED,
    before: [fetch('08:00', 404), fetch('09:00')],
    request: { at: '10:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL, after HEAD of robots.txt',
    reason: 'HEAD has no file, so the crawler has read nothing.',
    robots: EDIT,
    before: [fetch('11:00'), { ...fetch('12:30'), method: 'HEAD' }],
    request: { at: '13:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'the fetch of another crawler',
    reason: 'The state is that of the crawler: what bingbot has read, GPTBot has not.',
    robots: EDIT,
    before: [{ ...fetch('12:30'), crawler: 'bingbot' }],
    request: { at: '13:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a spoofed fetch',
    reason: 'A fetch that is not of the crawler says nothing of what the crawler has read.',
    robots: EDIT,
    before: [fetch('11:00'), { ...fetch('12:30'), isSpoofed: true }],
    request: { at: '13:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a request before the first version',
    reason: 'What was served then is unknown.',
    robots: { '2026-11-20T12:00:00Z': CLOSED },
    request: { at: '10:00', target: '/shop' },
    class: 'unknown-version',
  },
  {
    title: 'a disallowed URL an hour after the first version, without a fetch',
    reason: 'In the 24 hours before, an unknown version may have been read.',
    robots: { '2026-11-20T12:00:00Z': CLOSED },
    request: { at: '13:00', target: '/shop' },
    class: 'unknown-version',
  },
  {
    title: 'an allowed URL an hour after the first version, without a fetch',
    reason: 'A version that the crawler may have read allows it.',
    robots: { '2026-11-20T12:00:00Z': CLOSED },
    request: { at: '13:00', target: '/a' },
    class: 'allowed',
  },
  {
    title: 'a disallowed URL an hour after the first version, after a fetch of it',
    reason: 'The crawler has read the version.',
    robots: { '2026-11-20T12:00:00Z': CLOSED },
    before: [fetch('12:30')],
    request: { at: '13:00', target: '/shop' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a disallowed URL after a fetch before the first version',
    reason: 'What the crawler has read is unknown.',
    robots: { '2026-11-20T12:00:00Z': CLOSED },
    before: [fetch('11:00')],
    request: { at: '13:00', target: '/shop' },
    class: 'unknown-version',
  },
  {
    title: 'a version that begins in the second of the request',
    reason: 'It is in force from then on, but the crawler may have read the older one.',
    robots: EDIT,
    request: { at: '12:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'a crawler whose operator documents that it ignores robots.txt',
    reason: 'Google documents that its user-triggered fetchers ignore robots.txt.',
    robots: CLOSED,
    before: [{ ...fetch('09:00'), crawler: 'FeedFetcher-Google' }],
    request: { at: '10:00', target: '/shop', crawler: 'FeedFetcher-Google' },
    class: 'exempt',
  },
  {
    title: 'a crawler of which others say that it ignores robots.txt',
    reason: 'Only the documentation of its operator would exempt it.',
    robots: CLOSED,
    before: [{ ...fetch('09:00'), crawler: 'Bytespider' }],
    request: { at: '10:00', target: '/shop', crawler: 'Bytespider' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a crawler that does not obey the group for *',
    reason: 'AdsBot-Google obeys only groups that name it.',
    robots: CLOSED,
    before: [{ ...fetch('09:00'), crawler: 'AdsBot-Google' }],
    request: { at: '10:00', target: '/shop', crawler: 'AdsBot-Google' },
    class: 'allowed',
  },
  {
    title: 'a crawler with a group of its own',
    reason: 'The group for * does not apply to it.',
    robots: `${CLOSED}\nUser-agent: GPTBot\nDisallow: /private\n`,
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/shop' },
    class: 'allowed',
  },
  {
    title: 'a crawler that the catalogue does not know, with digits in its name',
    reason: 'Its operator reads its name as a whole.',
    robots: 'User-agent: Foo9Bot\nDisallow: /s\n',
    before: [{ ...fetch('09:00'), crawler: 'Foo9Bot' }],
    request: { at: '10:00', target: '/shop', crawler: 'Foo9Bot' },
    class: 'violation',
    read: 'yes',
  },
  {
    title: 'a path that is forbidden only in request form',
    reason: 'The crawler may have read the rule by the URL as it was logged: the milder verdict counts.',
    robots: 'User-agent: *\nDisallow: /b\n',
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/a/../b' },
    class: 'allowed',
  },
  {
    title: 'a path that is forbidden only as it was logged',
    reason: 'The milder verdict counts.',
    robots: 'User-agent: *\nDisallow: /a/\n',
    before: [fetch('09:00')],
    request: { at: '10:00', target: '/a/../b' },
    class: 'allowed',
  },
  {
    title: 'a target that is no path',
    reason: 'No rule is about it.',
    robots: 'User-agent: *\nDisallow: /\n',
    before: [fetch('09:00')],
    request: { at: '10:00', target: '*', method: 'OPTIONS' },
    class: 'allowed',
  },
  {
    title: 'three versions within a day, of which only the middle one allows',
    reason: 'The crawler may have read any of them.',
    robots: {
      '2026-11-01': CLOSED,
      '2026-11-20T08:00:00Z': OPEN,
      '2026-11-20T09:00:00Z': CLOSED,
    },
    request: { at: '10:00', target: '/shop' },
    class: 'grace',
  },
  {
    title: 'Amazonbot, two days after its fetch',
    reason: 'Nothing documents another cache period for successful fetches than 24 hours.',
    robots: EDIT,
    before: [{ ...fetch('2026-11-20T11:00:00Z'), crawler: 'Amazonbot' }],
    request: { at: '2026-11-22T12:00:01Z', target: '/shop', crawler: 'Amazonbot' },
    class: 'violation',
    read: 'never',
  },
];

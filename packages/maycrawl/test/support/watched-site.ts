import type { ServerResponse } from 'node:http';

export const HOUR: number = 3_600_000;
export const START: number = Date.UTC(2026, 0, 1);
const BASE = 'User-agent: *\nDisallow: /cart\n';

/** The response of the site, its duration in hours, and the expected events: kind, severity, and a pattern of the text. */
export interface Step {
  readonly answer: string | number | 'hang' | 'reset' | 'redirect' | 'redirect-loop';
  readonly hours: number;
  readonly events: readonly (readonly [kind: string, severity: string, text: RegExp])[];
}

export const STEPS: readonly Step[] = [
  { answer: BASE, hours: 3, events: [['first', 'info', /watched from now on; the file has 30 bytes/]] },
  { answer: `# shop\n${BASE}`, hours: 2, events: [['formatting', 'info', /formatting only/]] },
  {
    answer: `${BASE}Sitemap: https://h.example/s.xml\n`,
    hours: 1,
    events: [['records', 'info', /sitemaps or other records/]],
  },
  {
    answer: `${BASE}Disallow: /shop/\n`,
    hours: 2,
    events: [
      [
        'blocked',
        'error',
        /newly blocked: \/shop\/ for Googlebot and \d+ others; 2 of your 3 URLs newly blocked/,
      ],
    ],
  },
  {
    answer: BASE,
    hours: 1,
    events: [['allowed', 'info', /newly allowed: \/shop\/ for Googlebot.*; 2 of your 3 URLs newly allowed/]],
  },
  {
    answer: 'User-agent: *\nDisallow: /\n',
    hours: 1,
    events: [['root-blocked', 'error', /newly blocked: \/ for/]],
  },
  {
    answer: 404,
    hours: 3,
    events: [['disappeared', 'warning', /the file disappeared \(status 404\): all URLs are allowed/]],
  },
  { answer: BASE, hours: 2, events: [['appeared', 'warning', /a robots.txt has appeared/]] },
  {
    answer: 503,
    hours: 3,
    events: [['unreachable', 'warning', /unreachable since .* \(status 503\)\. All URLs are disallowed/]],
  },
  { answer: BASE, hours: 2, events: [['recovered', 'info', /reachable again; the file is as it was/]] },
  {
    answer: 500,
    hours: 40,
    events: [
      ['unreachable', 'warning', /After 12 h \(.*\): The rules of the last response still apply/],
      ['outage-continues', 'error', /unreachable since .* The rules of the last response still apply/],
    ],
  },
  { answer: `${BASE}Disallow: /b\n`, hours: 2, events: [['recovered', 'warning', /reachable again/]] },
  { answer: 'hang', hours: 2, events: [['unreachable', 'warning', /unreachable/]] },
  { answer: BASE, hours: 2, events: [['recovered', 'info', /newly allowed: \/b/]] },
  { answer: 'reset', hours: 1, events: [['unreachable', 'warning', /unreachable/]] },
  { answer: 'redirect', hours: 2, events: [['recovered', 'info', /the file is as it was/]] },
  { answer: 'redirect-loop', hours: 2, events: [['disappeared', 'warning', /all URLs are allowed/]] },
  {
    answer: '<!doctype html><title>x</title>',
    hours: 2,
    events: [['appeared', 'error', /a robots.txt has appeared/]],
  },
  {
    answer: `${BASE}${'# x\n'.repeat(150_000)}`,
    hours: 2,
    events: [['blocked', 'warning', /newly blocked: \/cart/]],
  },
  { answer: 410, hours: 2, events: [['disappeared', 'warning', /status 410/]] },
];

export function answerWith(answer: Step['answer'], url: string, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'reset') response.destroy();
  else if (answer === 'redirect-loop') response.writeHead(302, { location: '/robots.txt' }).end();
  else if (answer === 'redirect' && url === '/robots.txt')
    response.writeHead(301, { location: '/moved' }).end();
  else if (typeof answer === 'number') response.writeHead(answer).end();
  else response.writeHead(200, { 'cache-control': 'max-age=60' }).end(answer === 'redirect' ? BASE : answer);
}

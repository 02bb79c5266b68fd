// Lines as the documentation of each format describes them, with the requests that they are.
import type { LogRequest } from '../../../src/logs/request.ts';

export interface DocumentedLine {
  readonly title: string;
  readonly format: string;
  /** Header lines, and then the line that is a request of a crawler. */
  readonly lines: readonly string[];
  readonly expected: LogRequest;
  /** Whether `recognizeFormat` finds the format by these lines. */
  readonly isRecognized?: false;
}

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** The request that most of the lines have. */
export const REQUEST: LogRequest = {
  time: Date.UTC(2026, 10, 28, 16, 40, 3),
  host: null,
  method: 'GET',
  target: '/shop/a%20b?page=2',
  status: 200,
  bytes: 5316,
  crawler: 'GPTBot',
  userAgent: GPTBOT,
  address: '203.0.113.7',
  signature: null,
};

export const TEXT_LINES: readonly DocumentedLine[] = [
  {
    title: 'Apache: combined',
    format: 'combined',
    lines: [
      `203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "http://www.example.com/start.html" "${GPTBOT}"`,
    ],
    expected: REQUEST,
  },
  {
    title: 'nginx: the format main of the default configuration, which has one more field than combined',
    format: 'combined',
    lines: [
      `203.0.113.7 - frank [28/Nov/2026:08:40:03 -0800] "GET /shop/a%20b?page=2 HTTP/2.0" 200 5316 "-" "${GPTBOT}" "198.51.100.1"`,
    ],
    expected: REQUEST,
  },
  {
    title: 'Traefik: the common format, which has the fields of combined and more',
    format: 'combined',
    lines: [
      `203.0.113.7 - - [28/Nov/2026:16:40:03 +0000] "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "-" "${GPTBOT}" 17 "shop@docker" "http://10.0.0.2:80" 3ms`,
    ],
    expected: REQUEST,
  },
  {
    title: 'Apache: combined, a name of a user with spaces and brackets, 304 without a size',
    format: 'combined',
    lines: [
      `2001:DB8:0:0::7 - a [b] [c [28/Nov/2026:18:40:03 +0200] "HEAD /robots.txt HTTP/1.0" 304 - "-" "${GOOGLEBOT}"`,
    ],
    expected: {
      ...REQUEST,
      method: 'HEAD',
      target: '/robots.txt',
      status: 304,
      bytes: 0,
      crawler: 'Googlebot',
      userAgent: GOOGLEBOT,
      address: '2001:db8::7',
    },
  },
  {
    title: 'Debian: vhost_combined',
    format: 'vhost-combined',
    lines: [
      `Shop.Example:443 203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "-" "${GPTBOT}"`,
    ],
    expected: { ...REQUEST, host: 'shop.example' },
  },
  {
    title: 'Debian: vhost_combined, another port, and a request with the name of the host in its target',
    format: 'vhost-combined',
    lines: [
      `default.example:8080 203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET http://shop.example:8080/shop/a%20b?page=2 HTTP/1.1" 200 5316 "-" "${GPTBOT}"`,
    ],
    expected: { ...REQUEST, host: 'shop.example:8080' },
  },
  {
    title: 'Debian: vhost_combined, and a host that is an IPv6 address',
    format: 'vhost-combined',
    lines: [
      `[2001:db8::5]:443 203.0.113.7 - - [28/Nov/2026:18:40:03 +0200] "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "-" "${GPTBOT}"`,
    ],
    expected: { ...REQUEST, host: '[2001:db8::5]' },
  },
  {
    title: 'IIS: the default fields of the W3C format',
    format: 'w3c',
    lines: [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Version: 1.0',
      '#Date: 2026-11-28 16:40:00',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken',
      `2026-11-28 16:40:03 10.0.0.1 GET /shop/a+b page=2 443 - 203.0.113.7 ${GPTBOT.replaceAll(' ', '+')} - 200 0 0 15`,
    ],
    expected: { ...REQUEST, bytes: 0 },
  },
  {
    title: 'IIS: other fields in another order, the day only in the header, and line ends of Windows',
    format: 'w3c',
    lines: [
      '#Date: 2026-11-28 00:00:01\r',
      '#Fields: sc-status sc-bytes cs-host cs(User-Agent) c-ip cs-uri-query cs-uri-stem cs-method time\r',
      `200 5316 shop.example:80 ${GPTBOT.replaceAll(' ', '+')} 203.0.113.7 page=2 /shop/a+b GET 16:40:03\r`,
    ],
    expected: { ...REQUEST, host: 'shop.example' },
  },
  {
    title: 'CloudFront: standard log, version 1.0',
    format: 'cloudfront',
    lines: [
      '#Version: 1.0',
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end',
      `2026-11-28\t16:40:03\tLAX1\t5316\t203.0.113.7\tGET\td111111abcdef8.cloudfront.net\t/shop/a%2520b\t200\t-\t${encodeURIComponent(GPTBOT)}\tpage=2\t-\tHit\tSOX4xwn4XV6Q4rgb7XiVGOHms_BGlTAC4KyHmureZmBNrjGdRLiNIQ==\tshop.example\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-`,
    ],
    expected: { ...REQUEST, host: 'shop.example' },
  },
  {
    title: 'CloudFront: spaces of the header that are encoded twice, and no alternate domain name',
    format: 'cloudfront',
    lines: [
      `2026-11-28\t16:40:03\tLAX1\t5316\t203.0.113.7\tGET\td111111abcdef8.cloudfront.net\t/shop/a%2520b\t200\t-\t${GPTBOT.replaceAll(' ', '%2520')}\tpage=2\t-\tHit\tSOX4\t-\thttps\t23\t0.001\t-\tTLSv1.2\tECDHE-RSA-AES128-GCM-SHA256\tHit\tHTTP/2.0`,
    ],
    expected: { ...REQUEST, host: 'd111111abcdef8.cloudfront.net' },
  },
  {
    title: 'Application Load Balancer: a request over HTTPS, of which the time of the request counts',
    format: 'alb',
    lines: [
      `https 2026-11-28T16:40:09.364000Z app/my-loadbalancer/50dc6c495c0c9188 203.0.113.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 5316 "GET https://shop.example:443/shop/a%20b?page=2 HTTP/1.1" "${GPTBOT}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/my-targets/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "shop.example" "arn:aws:acm:us-east-2:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 2026-11-28T16:40:03.123000Z "authenticate,forward" "-" "-" "10.0.0.1:80" "200" "-" "-" TID_123456`,
    ],
    expected: { ...REQUEST, host: 'shop.example', time: REQUEST.time + 123 },
  },
  {
    title: 'Application Load Balancer: no target, IPv6, another port',
    format: 'alb',
    lines: [
      `http 2026-11-28T16:40:03.000000Z app/lb/50dc [2001:db8::7]:2817 - -1 -1 -1 503 - 34 366 "GET http://shop.example:8080/robots.txt HTTP/1.1" "${GPTBOT}" - - - "Root=1-58" "-" "-" 0 2026-11-28T16:40:03.000000Z "forward" "-" "-" "-" "-" "-" "-"`,
    ],
    expected: {
      ...REQUEST,
      host: 'shop.example:8080',
      target: '/robots.txt',
      status: 503,
      bytes: 366,
      address: '2001:db8::7',
    },
  },
  {
    title: 'S3: a request of a website, with all fields',
    format: 's3',
    lines: [
      `79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop [28/Nov/2026:16:40:03 +0000] 203.0.113.7 - 3E57427F3EXAMPLE WEBSITE.GET.OBJECT shop/a%2520b "GET /shop/a%20b?page=2 HTTP/1.1" 200 - 5316 5316 7 6 "-" "${GPTBOT}" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= - - - shop.example - - -`,
    ],
    expected: { ...REQUEST, host: 'shop.example' },
  },
  {
    title: 'S3: a line of a file before 2019, without the host, and an error without a size',
    format: 's3',
    lines: [
      `79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop [28/Nov/2026:16:40:03 +0000] 203.0.113.7 - 3E57427F3EXAMPLE REST.GET.OBJECT a "GET /a HTTP/1.1" 404 NoSuchKey - - 7 - "-" "${GPTBOT}" -`,
    ],
    expected: { ...REQUEST, target: '/a', status: 404, bytes: 0 },
  },
];

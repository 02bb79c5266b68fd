// Lines of JSON formats as their documentation describes them, and of patterns, with the requests that they are.
import type { LogRequest } from '../../../src/logs/request.ts';
import { type DocumentedLine, GPTBOT, REQUEST } from './documented-lines.ts';

const SHOP: LogRequest = { ...REQUEST, host: 'shop.example' };
const SIGNATURE = {
  signature: 'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQ=:',
  input: 'sig2=("@authority" "signature-agent");created=1735689600;keyid="poqkLGiymh";tag="web-bot-auth"',
  agent: '"https://signature-agent.test"',
};

export const JSON_LINES: readonly DocumentedLine[] = [
  {
    title: 'Caddy 2.10: the access log, with the fields of a signature',
    format: 'caddy',
    lines: [
      JSON.stringify({
        level: 'info',
        ts: REQUEST.time / 1000 + 0.5241024,
        logger: 'http.log.access.log0',
        msg: 'handled request',
        request: {
          remote_ip: '10.0.0.1',
          remote_port: '41342',
          client_ip: '203.0.113.7',
          proto: 'HTTP/2.0',
          method: 'GET',
          host: 'shop.example',
          uri: '/shop/a%20b?page=2',
          headers: {
            'User-Agent': [GPTBOT],
            Accept: ['*/*'],
            Signature: [SIGNATURE.signature],
            'Signature-Input': [SIGNATURE.input],
            'Signature-Agent': [SIGNATURE.agent],
          },
          tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'shop.example' },
        },
        bytes_read: 0,
        user_id: '',
        duration: 0.000929675,
        size: 5316,
        status: 200,
        resp_headers: { Server: ['Caddy'] },
      }),
    ],
    expected: { ...SHOP, time: REQUEST.time + 524, signature: SIGNATURE },
  },
  {
    title: 'Caddy 2.4: an address with a port, and times as text',
    format: 'caddy',
    lines: [
      `{"level":"info","ts":"2026/11/28 16:40:03.524","msg":"handled request","request":{"remote_addr":"203.0.113.7:41342","proto":"HTTP/1.1","method":"GET","host":"shop.example:8080","uri":"/shop/a%20b?page=2","headers":{"User-Agent":["${GPTBOT}"]}},"duration":0.1,"size":5316,"status":200}`,
    ],
    expected: { ...SHOP, host: 'shop.example:8080', time: REQUEST.time + 524 },
  },
  {
    title: 'Traefik: JSON with the User-Agent header, and ClientHost with a forged X-Forwarded-For',
    format: 'traefik',
    lines: [
      `{"ClientAddr":"203.0.113.7:50414","ClientHost":"66.249.66.1","ClientPort":"50414","ClientUsername":"-","DownstreamContentSize":5316,"DownstreamStatus":200,"Duration":65221,"OriginStatus":200,"RequestAddr":"shop.example","RequestContentSize":0,"RequestHost":"shop.example","RequestMethod":"GET","RequestPath":"/shop/a%20b?page=2","RequestPort":"-","RequestProtocol":"HTTP/1.1","RouterName":"shop@docker","StartLocal":"2026-11-28T18:40:03.524+02:00","StartUTC":"2026-11-28T16:40:03.524102400Z","entryPointName":"web","level":"info","msg":"","request_User-Agent":"${GPTBOT}","time":"2026-11-28T16:40:04Z"}`,
    ],
    expected: { ...SHOP, time: REQUEST.time + 524 },
  },
  {
    title: 'nginx: JSON with the names of the variables',
    format: 'nginx-json',
    lines: [
      `{"time_local":"28/Nov/2026:18:40:03 +0200","remote_addr":"203.0.113.7","remote_user":"","request":"GET /shop/a%20b?page=2 HTTP/1.1","status": "200","body_bytes_sent":"5316","request_time":"0.001","http_referrer":"","http_host":"shop.example","http_user_agent":"${GPTBOT}"}`,
    ],
    expected: SHOP,
  },
  {
    title: 'nginx: JSON with other usual names, and the escapes of a format without escape=json',
    format: 'nginx-json',
    lines: [
      `{"time":"2026-11-28T16:40:03+00:00", "remote_addr":"203.0.113.7", "host":"shop.example", "status":"200", "method":"GET", "uri":"/\\xC3\\xA9\\x22?page=2", "body_bytes_sent":"5316", "user_agent":"${GPTBOT}", "port":"443"}`,
    ],
    expected: { ...SHOP, target: '/%C3%A9"?page=2' },
  },
  {
    title: 'Cloudflare Logpush: times in nanoseconds',
    format: 'cloudflare',
    lines: [
      `{"ClientIP":"203.0.113.7","ClientRequestHost":"shop.example","ClientRequestMethod":"GET","ClientRequestURI":"/shop/a%20b?page=2","ClientRequestUserAgent":"${GPTBOT}","EdgeEndTimestamp":${REQUEST.time + 1}000000,"EdgeResponseBytes":5316,"EdgeResponseStatus":200,"EdgeStartTimestamp":${REQUEST.time}000000,"RayID":"3a6050bcbe121a87"}`,
    ],
    expected: SHOP,
  },
  {
    title: 'Cloudflare Logpush: times in seconds, an IPv6 address, and custom fields with the signature',
    format: 'cloudflare',
    lines: [
      `{"ClientIP":"2001:db8::7","ClientRequestHost":"shop.example","ClientRequestMethod":"GET","ClientRequestURI":"/shop/a%20b?page=2","ClientRequestUserAgent":"${GPTBOT}","EdgeResponseBytes":5316,"EdgeResponseStatus":200,"EdgeStartTimestamp":${REQUEST.time / 1000},"RequestHeaders":${JSON.stringify({ signature: SIGNATURE.signature, 'signature-input': SIGNATURE.input, 'signature-agent': SIGNATURE.agent })}}`,
    ],
    expected: { ...SHOP, address: '2001:db8::7', signature: SIGNATURE },
  },
  {
    title: 'Cloudflare Logpush: times of RFC 3339, and the path without a query',
    format: 'cloudflare',
    lines: [
      `{"ClientIP":"203.0.113.7","ClientRequestHost":"shop.example:443","ClientRequestMethod":"GET","ClientRequestPath":"/shop/a%20b","ClientRequestUserAgent":"${GPTBOT}","EdgeResponseBytes":5316,"EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-11-28T16:40:03Z"}`,
    ],
    expected: { ...SHOP, target: '/shop/a%20b' },
  },
  {
    title: 'Fastly: the JSON of the documentation',
    format: 'fastly',
    lines: [
      `{"timestamp":"2026-11-28T16:40:03+0000","client_ip":"203.0.113.7","geo_country":"germany","geo_city":"berlin","host":"shop.example","url":"/shop/a%20b?page=2","request_method":"GET","request_protocol":"HTTP/2","request_referer":"","request_user_agent":"${GPTBOT}","response_state":"HIT","response_status":200,"response_reason":"OK","response_body_size":5316,"fastly_server":"cache-fra19123","fastly_is_edge":true}`,
    ],
    expected: SHOP,
  },
  {
    title: 'Fastly: the JSON that it proposes for New Relic, after a prefix of syslog',
    format: 'fastly',
    lines: [
      `<134>2026-11-28T16:40:03Z cache-fra19123 newrelic[62959]: {"timestamp":"2026-11-28T16:40:03","time_elapsed":"120","is_tls":"true","client_ip":"203.0.113.7","request":"GET","host":"shop.example","url":"/shop/a%20b?page=2","request_referer":"","request_user_agent":"${GPTBOT}","cache_status":"HIT"}`,
    ],
    expected: { ...SHOP, status: null, bytes: 0 },
  },
  {
    title: 'Fastly: the combined log format after a prefix of syslog',
    format: 'fastly',
    lines: [
      `<134>2026-11-28T16:40:03Z cache-fra19123 LogTest[62959]: 203.0.113.7 - - [28/Nov/2026:16:40:03 +0000] "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "-" "${GPTBOT}"`,
    ],
    expected: REQUEST,
  },
];

export const PATTERN_LINES: readonly DocumentedLine[] = [
  {
    title: 'nginx: a whole log_format directive, escape=json, and a URL in three variables',
    format: `log_format main escape=json '{"time":"$time_iso8601","url":"$scheme://$http_host$request_uri","m":"$request_method",'
      '"status":$status,"size":$bytes_sent,"ip":"$remote_addr","agent":"$http_user_agent","s":"$http_signature",'
      '"i":"$http_signature_input","a":"$http_signature_agent"}';`,
    lines: [
      `{"time":"2026-11-28T18:40:03+02:00","url":"https://Shop.Example./shop/a%20b?page=2","m":"GET","status":200,"size":5316,"ip":"203.0.113.7","agent":"${GPTBOT}","s":"${SIGNATURE.signature}","i":${JSON.stringify(SIGNATURE.input)},"a":${JSON.stringify(SIGNATURE.agent)}}`,
    ],
    expected: { ...SHOP, signature: SIGNATURE },
    isRecognized: false,
  },
  {
    title:
      'nginx: seconds with a fraction, a path and its arguments apart, unknown variables, braces and tabs',
    format: `'$msec\\t\${remote_addr}\\t$request_id\\t$request_method $uri$is_args$args $server_protocol\\t$status $upstream_status'
      '\\t$server_name:$server_port\\t"$http_user_agent"'`,
    lines: [
      `1795884003.524\t203.0.113.7\tabc\tGET /shop/ü?page=2 HTTP/1.1\t200 200, 200\tshop.example:8443\t"${GPTBOT}"`,
    ],
    expected: {
      ...SHOP,
      time: REQUEST.time + 524,
      host: 'shop.example:8443',
      target: '/shop/%C3%BC?page=2',
      bytes: 0,
    },
    isRecognized: false,
  },
  {
    title:
      'Apache: a whole LogFormat directive, a time with parts, and the fields of a signature with escapes',
    format:
      'LogFormat "%{c}a %a %{%Y-%m-%d %T}t.%{usec_frac}t %{%z}e %m \\"%U%q\\" %>s %O %V:%p \\"%{User-agent}i\\" \\"%{Signature}i\\" \\"%{Signature-Input}i\\" \\"%{Signature-Agent}i\\"" shop',
    lines: [
      `10.0.0.1 203.0.113.7 2026-11-28 16:40:03.524102 - GET "/shop/a b?page=2" 200 5316 shop.example:443 "${GPTBOT}" "${SIGNATURE.signature}" "${SIGNATURE.input.replaceAll('"', '\\"')}" "${SIGNATURE.agent.replaceAll('"', '\\"')}"`,
    ],
    expected: { ...SHOP, time: REQUEST.time + 524, signature: SIGNATURE },
    isRecognized: false,
  },
  {
    title: 'Apache: milliseconds, the status before a redirect inside the server, conditions, and %%',
    format: '%{msec}t %200,304{Referer}i %!500{Foo}i %h "%r" %<s 100%% %B %v "%{User-Agent}i"',
    lines: [
      `1795884003524 - - 203.0.113.7 "GET /shop/a%20b?page=2 HTTP/1.1" 200 100% 5316 Shop.Example "${GPTBOT}"`,
    ],
    expected: { ...SHOP, time: REQUEST.time + 524 },
    isRecognized: false,
  },
  {
    title: 'Apache: a clock of twelve hours and the full name of a month',
    format: '%a "%{%A, %e %B %Y, %I:%M:%S %p %z}t" "%r" %s %b "%{user-agent}i"',
    lines: [
      `203.0.113.7 "Saturday, 28 November 2026, 06:40:03 PM +0200" "GET /shop/a%20b?page=2 HTTP/1.1" 200 5316 "${GPTBOT}"`,
    ],
    expected: REQUEST,
    isRecognized: false,
  },
];

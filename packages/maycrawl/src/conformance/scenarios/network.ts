// Failures of the network.
import { byGoogle, byRfc, defineScenario, type Reply, type Scenario } from '../scenario.ts';

/** A failure, which means that no URL may be fetched. */
const failure = (id: string, title: string, reply: Reply, rfc: string, google: string): Scenario =>
  defineScenario(id, title, reply, {
    rfc9309: byRfc('2.3.1.4', 'all', rfc),
    google: byGoogle('status', 'all', google),
  });

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';

export const NETWORK_SCENARIOS: readonly Scenario[] = [
  failure(
    'no-response',
    'no response: the connection stays open',
    { raw: '', end: 'wait' },
    'fetch-network-048',
    'fetch-network-012',
  ),
  failure(
    'connection-closed',
    'the connection is closed before the response',
    { raw: '', end: 'close' },
    'fetch-network-041',
    'fetch-network-005',
  ),
  failure(
    'connection-reset',
    'the connection is reset before the response',
    { raw: '', end: 'reset' },
    'fetch-network-040',
    'fetch-network-004',
  ),
  failure(
    'truncated-body',
    'the body is shorter than its length',
    { raw: `${HEAD}Content-Length: 1000\r\n\r\nUser-agent: *\n`, end: 'close' },
    'fetch-network-043',
    'fetch-network-007',
  ),
  failure(
    'truncated-chunks',
    'the last chunk is missing',
    { raw: `${HEAD}Transfer-Encoding: chunked\r\n\r\ne\r\nUser-agent: *\n\r\n`, end: 'close' },
    'fetch-network-045',
    'fetch-network-009',
  ),
  failure(
    'bad-coding',
    'the body is not compressed as its header says',
    { headers: { 'content-encoding': 'gzip' }, body: 'User-agent: *\nAllow: /\n' },
    'fetch-network-047',
    'fetch-network-011',
  ),
  failure(
    'invalid-response',
    'the response is not HTTP',
    { raw: 'User-agent: *\nAllow: /\n', end: 'close' },
    'fetch-network-042',
    'fetch-network-006',
  ),
];

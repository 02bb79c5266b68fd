// Caching. The number of requests for robots.txt is in the report: neither document requires a cache.
import { byGoogle, byRfc, defineScenario, FILE, type Scenario } from '../scenario.ts';

const rules = { rfc9309: byRfc('2.4', 'private'), google: byGoogle('caching', 'private') };
const manyPages = {
  pages: {
    open: Array.from({ length: 10 }, (_, index) => `/open/${index + 1}`),
    private: ['/private/1', '/private/2'],
  },
};

export const CACHING_SCENARIOS: readonly Scenario[] = [
  defineScenario(
    'cache',
    'a file that is fresh for a day',
    { headers: { 'cache-control': 'max-age=86400' }, body: FILE },
    rules,
    manyPages,
  ),
  defineScenario(
    'validators',
    'a file with an ETag that is stale immediately',
    { headers: { 'cache-control': 'max-age=0', etag: '"1"' }, body: FILE },
    rules,
    manyPages,
  ),
];

/** The programs of docs/client.md that use Redis run against a server. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { closeAtEnd } from '../support/close-at-end.ts';
import { HAS_REDIS, startRedis } from '../support/redis-server.ts';
import { serve } from '../support/server.ts';

const root = new URL('../../../../', import.meta.url);
const page = readFileSync(new URL('docs/client.md', root), 'utf8');
const programs = [...page.matchAll(/```javascript\n([\s\S]*?)```/g)]
  .map(([, code = '']) => code)
  .filter((code) => code.includes('new RedisStore('));

describe.skipIf(!HAS_REDIS)(
  'the programs of docs/client.md with Redis (skipped without redis-server)',
  () => {
    test('store in Redis with each client, and the later ones send no request', async () => {
      const redis = await closeAtEnd(startRedis());
      const site = await closeAtEnd(
        serve((_request, response) => response.end('User-agent: *\nDisallow: /page\n')),
      );
      expect(programs.length).toBe(3);
      for (const program of programs) {
        const code = program
          .replace('redis://127.0.0.1:6379', redis.url)
          .replace('https://example.com', site.origin);
        const args = ['--input-type=module', '--eval', code];
        const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: fileURLToPath(root) });
        expect(stdout).toBe('disallowed\n');
      }
      expect(site.requests).toEqual(['/robots.txt']);
    });
  },
);

import { afterEach, expect, test } from 'vitest';
import { startNameServer } from '../../../client/test/support/dns.ts';
import { serve } from '../../../client/test/support/server.ts';
import { type RunResult, run } from '../support/run.ts';

const PRELOAD = new URL('../support/name-server.mjs', import.meta.url).href;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Runs `check` with a URL of a host that only a name server can resolve. */
function check(url: string, variables: NodeJS.ProcessEnv): Promise<RunResult> {
  const env = { ...process.env, ...variables, NODE_OPTIONS: `--import=${PRELOAD}` };
  return run(['check', url, '--database', 'none'], '', { env });
}

test('the command resolves a host name with the name server', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
  open.push(site);
  const dns = await startNameServer((_name, type) => (type === 'A' ? { addresses: ['127.0.0.1'] } : {}));
  open.push(dns);
  const url = `http://site.example:${new URL(site.origin).port}/private/x`;
  const { code, stdout, stderr } = await check(url, { NAME_SERVER: dns.server });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain('"Disallow: /private"');
  expect(dns.queries).toContain('A site.example');
});

test('an error of the program is reported as one, not as a site that is unreachable', async () => {
  expect(await check('http://site.example/', {})).toEqual({
    ...{ code: 2, stdout: '' },
    stderr:
      'maycrawl: TypeError: resolver.resolve4 is not a function (this is a bug in maycrawl; MAYCRAWL_DEBUG=1 prints the stack)\n',
  });
});

// The commands and the program of docs/identity.md, with real servers over https, and what a site sees of the requests.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseKeyDirectory } from '@maycrawl/client/internal';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../../../client/test/support/free-port.ts';
import { IDENTITY_FINDINGS } from '../../src/identity/findings.ts';
import { createSignatureVerifier } from '../../src/logs/identity/signature/signature-verifier.ts';
import { createTestFolder } from '../support/folder.ts';
import { ownCache, ROOT, type RunResult, run } from '../support/run.ts';

const DIRECTORY = '/.well-known/http-message-signatures-directory';
const DOCUMENT = readFileSync(join(ROOT, 'docs/identity.md'), 'utf8');
const CERTIFICATES = join(ROOT, 'packages/client/test/support/certificates');
const KEY = join(CERTIFICATES, 'server.key');
const CERTIFICATE = join(CERTIFICATES, 'valid.pem');
const createEnv = (): NodeJS.ProcessEnv => ({
  ...ownCache(),
  NODE_EXTRA_CA_CERTS: join(CERTIFICATES, 'ca.pem'),
});

/** The code of a block of the document. */
const readBlock = (language: string, text: string): string =>
  [...DOCUMENT.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, name, code]) => name === language && code?.includes(text),
  )?.[2] ?? '';

/** Runs a command of the document in a folder, for another agent. */
async function runDocumented(text: string, folder: string, agent: string): Promise<RunResult> {
  const [command = ''] = readBlock('sh', text).split('\n');
  const args = command.replaceAll('https://bot.example', agent).split(' ').slice(1);
  return run(args, '', { cwd: folder, env: createEnv() });
}

/** A server over https. @param respond - returns status, headers and body for a path. */
async function startHttps(
  respond: (
    path: string,
    headers: IncomingHttpHeaders,
  ) => {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body?: Buffer | string;
  },
): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer(
    { key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) },
    ({ url = '', headers }, response) => {
      const { status = 200, headers: own, body = '' } = respond(url, headers);
      response.writeHead(status, own).end(body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, close };
}

/** Serves a folder as hosts of static files do, with its file `_headers`. */
function serveStatic(folder: string): Parameters<typeof startHttps>[0] {
  return (path) => {
    const file = join(folder, path);
    if (path.includes('..') || !existsSync(file)) return { status: 404 };
    const [of = '', ...lines] = readFileSync(join(folder, '_headers'), 'utf8').trimEnd().split('\n');
    const listed = lines.map((line) =>
      line
        .trim()
        .split(/: (.*)/s)
        .slice(0, 2),
    );
    const headers = of === path ? Object.fromEntries(listed) : { 'content-type': 'application/json' };
    return { headers, body: readFileSync(file) };
  };
}

describe('docs/identity.md', () => {
  test('the table has all findings', () => {
    const rows = Object.entries(IDENTITY_FINDINGS).map(
      ([code, [severity, text]]) => `| \`${code}\` | ${severity} | ${text} |\n`,
    );
    expect(DOCUMENT.slice(DOCUMENT.indexOf('| code |'), DOCUMENT.indexOf('\n## What can go wrong'))).toBe(
      `| code | severity | |\n|---|---|---|\n${rows.join('')}`,
    );
  });

  test('from nothing to signed requests, and with new keys: what the site sees verifies', async () => {
    const folder = createTestFolder('identity');
    const agent = await startHttps((path, headers) =>
      serveStatic(join(folder, 'identity', 'public'))(path, headers),
    );
    const seen: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
    const site = await startHttps((path, headers) => {
      seen.push({ path, headers });
      return path === '/page' ? { status: 302, headers: { location: '/moved' } } : {};
    });
    try {
      const init = await runDocumented('identity init', folder, agent.origin);
      expect(init).toMatchObject({ code: 0, stderr: '' });
      const check = (): Promise<RunResult> => runDocumented('identity check', folder, agent.origin);
      expect(await check()).toMatchObject({
        ...{ code: 0, stderr: '' },
        stdout: expect.stringMatching(/ed25519 +from \S+ without end\n\nno problem was found\n$/),
      });

      const program = readBlock('javascript', 'openIdentity')
        .replace("'identity'", JSON.stringify(join(folder, 'identity')))
        .replaceAll('https://example.com', site.origin);
      const args = ['--input-type=module', '--eval', program];
      expect(await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: createEnv() })).toEqual({
        stdout: '200\n',
        stderr: '',
      });
      expect(seen.map(({ path }) => path)).toEqual(['/robots.txt', '/page', '/moved']);
      const directory = parseKeyDirectory(readFileSync(join(folder, 'identity', 'public', DIRECTORY)));
      const verifier = createSignatureVerifier({
        get: (origin) => (origin === agent.origin ? directory : undefined),
      });
      for (const { path, headers } of seen) {
        const request = {
          ...{ time: Date.now(), method: 'GET', target: path, status: 200, bytes: 0, crawler: 'MyBot' },
          ...{ host: headers.host ?? '', userAgent: headers['user-agent'] ?? '', address: null },
          signature: {
            agent: String(headers['signature-agent']),
            input: String(headers['signature-input']),
            signature: String(headers['signature']),
          },
        };
        expect(verifier.verify(request, [agent.origin])).toBe('match');
        expect(verifier.verify({ ...request, target: '/other' }, [agent.origin])).toBe('mismatch');
      }

      const record = await runDocumented('identity record', folder, agent.origin);
      expect(record).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(record.stdout)).toMatchObject({
        crawlers: [{ token: 'MyBot', robotsTxt: 'obeys' }],
        operators: [{ verification: [{ signature: agent.origin }] }],
      });

      expect(await runDocumented('identity rotate', folder, agent.origin)).toMatchObject({
        ...{ code: 0, stderr: '' },
        stdout: expect.stringMatching(/key \S+: from \S+ until \S+\nkey \S+: from \S+ without end\n/),
      });
      expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('future-key') });
      expect(await runDocumented('identity publish', folder, agent.origin)).toMatchObject({ code: 0 });
      const replaced = await run('identity rotate identity --lead 0s --overlap 0s'.split(' '), '', {
        cwd: folder,
        env: createEnv(),
      });
      expect(replaced.stdout).toMatch(/\n\nkey \S+: from \S+ without end\ndeploy/);
      expect(await check()).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('no problem was found'),
      });

      // A deployment that was forgotten: the headers are those of the directory before.
      const file = join(folder, 'identity', 'public', DIRECTORY);
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
      expect(await check()).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('binding0: Content-Digest is not that of the content'),
      });
    } finally {
      agent.close();
      site.close();
    }
  });

  const program = '/usr/sbin/nginx';
  test.skipIf(!existsSync(program))(
    `the file for nginx: a check finds nothing, and maycrawl logs verifies the requests (skipped without ${program})`,
    async () => {
      const folder = createTestFolder('identity');
      const port = await findFreePort();
      const agent = `https://localhost:${port}`;
      expect(await runDocumented('identity init', folder, agent)).toMatchObject({ code: 0 });
      const log = join(folder, 'access.log');
      const format =
        '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $http_host "$http_signature" "$http_signature_input" "$http_signature_agent"';
      const configuration = join(folder, 'server.conf');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      writeFileSync(
        configuration,
        `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  types { application/json json; text/html html; }
  gzip on; gzip_types *; gzip_min_length 1;
  log_format signed '${format}';
  access_log ${log} signed;
  ${paths.map((name) => `${name}_temp_path ${folder};`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${CERTIFICATE};
    ssl_certificate_key ${KEY};
    root ${folder}/identity/public;
    include ${folder}/identity/nginx.conf;
  }
}`,
      );
      const child = spawn(program, ['-e', 'stderr', '-c', configuration], { stdio: 'ignore' });
      const env = createEnv();
      try {
        const check = (): Promise<RunResult> =>
          run(['identity', 'check', agent, '--user-agent', 'Browser'], '', { env });
        await expect.poll(async () => (await check()).code ?? child.exitCode).toBe(0);
        expect((await check()).stdout).toContain('no problem was found');
        const script = `import { openIdentity, RobotsClient } from '@maycrawl/client';
import { createRobotsFetch } from '@maycrawl/client/fetch';
const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0', signature: openIdentity(${JSON.stringify(join(folder, 'identity'))}) });
await createRobotsFetch(client)('${agent}/page?q="x"');`;
        await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
          cwd: ROOT,
          env,
        });
      } finally {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
      }
      const crawlers = join(folder, 'crawlers.json');
      const operator = {
        operator: 'Example',
        crawlers: ['MyBot'],
        verification: [{ signature: agent }],
        sources: [],
      };
      writeFileSync(crawlers, JSON.stringify({ crawlers: [], operators: [operator] }));
      const keys = join(folder, 'keys-of-agents');
      mkdirSync(keys);
      writeFileSync(
        join(keys, `localhost:${port}.json`),
        readFileSync(join(folder, 'identity', 'public', DIRECTORY)),
      );
      const { code, stdout, stderr } = await run(
        ['logs', log, '--site', agent, '--format', format, '--keys', keys, '--crawlers', crawlers, '--json'],
        '',
        { env },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { crawlers: found } = JSON.parse(stdout) as {
        crawlers: { crawler: string; requests: number; identity: Record<string, number> }[];
      };
      expect(found.find(({ crawler }) => crawler === 'MyBot')).toMatchObject({
        requests: 2,
        identity: { verified: 2, spoofed: 0 },
      });
    },
  );
});

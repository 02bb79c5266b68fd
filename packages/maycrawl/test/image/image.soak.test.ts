// Builds the image with buildah, in a base image with the Node of this machine in place of the published one, and runs it. It needs
// root, buildah and mmdebstrap, and takes ten minutes.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { ROOT } from '../support/run.ts';

const canBuild =
  process.getuid?.() === 0 && ['/usr/bin/buildah', '/usr/bin/mmdebstrap'].every((path) => existsSync(path));
/** The size of the unpacked image, in bytes. */
const MOST_BYTES = 150_000_000;
const EPOCH = '1790000000';
const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-image-'));

/** Runs buildah with storage of its own, and returns its output. */
function buildah(...args: readonly string[]): string {
  const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run')];
  return execFileSync('buildah', [...storage, ...args], {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** Makes the base image: Debian with binutils, and the Node and npm of this machine. */
function buildBase(): void {
  const context = join(scratch, 'base');
  mkdirSync(context);
  const packages = 'binutils,ca-certificates,libstdc++6';
  execFileSync(
    'mmdebstrap',
    ['--variant=essential', `--include=${packages}`, 'bookworm', join(context, 'root.tar')],
    {
      stdio: 'ignore',
    },
  );
  cpSync(process.execPath, join(context, 'node'), { dereference: true });
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  cpSync(dirname(dirname(npm)), join(context, 'npm'), { recursive: true, dereference: true });
  writeFileSync(
    join(context, 'Dockerfile'),
    [
      'FROM scratch',
      'ADD root.tar /',
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN ["/bin/ln", "-s", "../lib/node_modules/npm/bin/npm-cli.js", "/usr/local/bin/npm"]',
    ].join('\n'),
  );
  buildah('bud', '--isolation', 'chroot', '--tag', 'localhost/base', context);
}

/** Builds the image, with this machine's settings of npm and its certificates. */
function buildImage(tag: string): void {
  const npmrc = join(scratch, 'npmrc');
  const files = ['userconfig', 'globalconfig'].map((name) =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim(),
  );
  writeFileSync(npmrc, files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('\n'));
  const settings = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker', '--no-cache'];
  const inputs = ['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro', '--secret', `id=npmrc,src=${npmrc}`];
  const args = ['--build-arg', 'BUILD_IMAGE=localhost/base', '--build-arg', `SOURCE_DATE_EPOCH=${EPOCH}`];
  buildah('bud', ...settings, ...inputs, ...args, '--timestamp', EPOCH, '--tag', tag, ROOT);
}

/** Returns the digests of the layers. The settings of the Docker format also have a random host name. */
function getLayers(tag: string): string[] {
  return JSON.parse(buildah('inspect', '--type', 'image', tag)).OCIv1.rootfs.diff_ids;
}

describe.skipIf(!canBuild)('the image (skipped without root, buildah and mmdebstrap)', () => {
  let container: string;
  let root: string;

  beforeAll(() => {
    buildBase();
    buildImage('localhost/maycrawl');
    container = buildah('from', 'localhost/maycrawl');
    root = buildah('mount', container);
  }, 1_200_000);

  afterAll(() => {
    buildah('rm', '--all');
    buildah('rmi', '--all', '--force');
    rmSync(scratch, { recursive: true, force: true });
  }, 120_000);

  test('has at most 150 MB, no shell, and nothing that can be written to but /data and /tmp', () => {
    const bytes = execFileSync('du', ['--summarize', '--bytes', root], { encoding: 'utf8' });
    expect(Number.parseInt(bytes, 10)).toBeLessThan(MOST_BYTES);
    expect(execFileSync('find', [root, '-name', 'sh', '-o', '-name', 'npm'], { encoding: 'utf8' })).toBe('');
    const writable = execFileSync(
      'find',
      [root, '-not', '-type', 'l', '(', '-perm', '/022', '-o', '-user', '10001', ')'],
      {
        encoding: 'utf8',
      },
    );
    expect(writable.trim().split('\n').sort()).toEqual([join(root, 'data'), join(root, 'tmp')]);
  });

  test('says which user, ports, signal, health check and folder it has', () => {
    const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/maycrawl'));
    expect(Docker.config).toMatchObject({
      User: '10001:10001',
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { '/data': {} },
      StopSignal: 'SIGTERM',
    });
    expect(Docker.config.Healthcheck.Test[0]).toBe('CMD');
  });

  test('decides, answers the health check, and writes nowhere but in /data', {
    timeout: 120_000,
  }, async () => {
    const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
    const node = ['/usr/local/bin/node', '/app/packages/maycrawl/bin/maycrawl.js'];
    const database = process.versions.node.startsWith('20.') ? 'none' : '/data/robots.sqlite';
    const user = '--userspec=10001:10001';
    const args = ['serve', '--port', '0', '--database', database, '--allow-private'];
    const service = spawn('chroot', [user, root, ...node, ...args], {
      env: { PATH: process.env['PATH'], HOME: '/data' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => service.on('close', resolve));
    try {
      let address: string | undefined;
      for await (const line of createInterface({ input: service.stderr })) {
        address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (address !== undefined) break;
      }
      const query = new URLSearchParams({ agent: 'Googlebot', url: `${site.origin}/a` });
      const decision = await (await fetch(`${address}/v1/decide?${query}`)).json();
      expect(decision).toMatchObject({ allowed: false });
      const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/maycrawl'));
      const check = (Docker.config.Healthcheck.Test as string[])
        .slice(1)
        .map((each) => each.replace('http://127.0.0.1:8080', address as string));
      execFileSync('chroot', [user, root, ...check]);
    } finally {
      service.kill('SIGINT');
    }
    expect(await ended).toBe(0);
    await site.close();
    const changed = execFileSync(
      'find',
      [root, '-mindepth', '1', '-newermt', `@${EPOCH}`, '-not', '-path', `${root}/data*`],
      {
        encoding: 'utf8',
      },
    );
    expect(changed).toBe('');
  });

  test('has the same files, byte by byte, when it is built again', { timeout: 1_200_000 }, () => {
    buildImage('localhost/again');
    expect(getLayers('localhost/again')).toEqual(getLayers('localhost/maycrawl'));
  });
});

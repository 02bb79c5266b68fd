/** The store of a caller in examples/own-store.mjs, which the documentation shows. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { Origins } from '../../src/origins/origins.ts';
import type { RobotsStore } from '../../src/store/store.ts';
import { createFile, type Result } from '../support/results.ts';
import { serve } from '../support/server.ts';
import { testOwnStore } from './contract.ts';

const example = new URL('../../../../examples/own-store.mjs', import.meta.url);
const { FolderStore } = (await import(example.href)) as {
  readonly FolderStore: new (folder: string) => RobotsStore;
};

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-own-store-'));
let folders = 0;
const newFolder = (): string => join(folder, String(folders++));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a store of three methods', () => {
  testOwnStore(async () => new FolderStore(newFolder()));

  test('the documentation shows it', () => {
    const page = readFileSync(new URL('../../../../docs/client.md', import.meta.url), 'utf8');
    const [, shown] = /```javascript\n(export class FolderStore .*?)```/s.exec(page) ?? [];
    expect(shown).toBeDefined();
    expect(readFileSync(example, 'utf8')).toContain(shown);
  });

  test('the example decides, and a second run sends no request', async () => {
    const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const own = newFolder();
    for (const _run of [1, 2]) {
      const args = [example.pathname, own, `${site.origin}/private`];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).toBe(`disallowed ${site.origin}/private\n`);
    }
    expect(site.requests).toEqual(['/robots.txt']);
    await site.close();
  });

  test('clients without leases fetch by themselves, and share what they stored', async () => {
    let fetches = 0;
    const fetcher = async (): Promise<Result> => {
      fetches++;
      return createFile('User-agent: *\nDisallow: /x\n');
    };
    const options = { userAgent: 'TestBot', store: new FolderStore(newFolder()), fetcher };
    const [first, second] = [new Origins(options), new Origins(options)];
    const states = await Promise.all([first, second].map((client) => client.getState('http://a.example')));
    expect(states.map(({ policy }) => policy.kind)).toEqual(['rules', 'rules']);
    expect(fetches).toBe(2);
    await new Origins(options).getState('http://a.example');
    expect(fetches).toBe(2);
  });

  test('bytes of another type are an error, not a file that allows everything', async () => {
    const own = new FolderStore(newFolder());
    const store: RobotsStore = {
      get: async (origin) => JSON.parse(JSON.stringify((await own.get(origin)) ?? null)) ?? undefined,
      record: (...call) => own.record(...call),
      delete: (origin) => own.delete(origin),
    };
    let fetches = 0;
    const errors: unknown[] = [];
    const options = {
      ...{ userAgent: 'TestBot', store },
      fetcher: async (): Promise<Result> => {
        fetches++;
        return createFile('User-agent: *\nDisallow: /\n');
      },
      onEvent: (event: { readonly kind: string; readonly error?: unknown }) => {
        if (event.kind === 'store-failed') errors.push(event.error);
      },
    };
    await new Origins(options).getState('http://a.example');
    const { policy } = await new Origins(options).getState('http://a.example');
    if (policy.kind !== 'rules') throw new Error('a policy without rules');
    expect(policy.robots.ruleset('TestBot').decide('/y').kind).toBe('disallowed');
    expect(fetches).toBe(2);
    expect(errors[0]).toMatchObject({ name: 'TypeError', message: expect.stringMatching(/not a history/) });
  });
});

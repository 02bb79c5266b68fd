/** Misspelled options of the library entries. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { audit, checkPage, listLinks } from '../src/audit.ts';
import { judgeLines } from '../src/batch.ts';
import {
  BodyJudge,
  compareCensuses,
  createCensusHtml,
  createSiteInputs,
  findInputs,
  InputTotals,
  mergeCensus,
  openCensuses,
  readInput,
  readPathList,
  readReportData,
  readSiteList,
  writeCensus,
} from '../src/census.ts';
import { createService } from '../src/serve.ts';
import { createMonitor } from '../src/watch.ts';

/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-misuse-'));
afterAll(() => rmSync(folder, { recursive: true }));
const database = join(folder, 'watch.sqlite');
const page = 'http://127.0.0.1:2/';
const census = { agents: ['a'], profile: 'google', folder, version: '1' };
const remote = { userAgent: 'a' };

test.each([
  ['audit', async () => audit(page, any({ maxPage: 5 })), 'maxPages'],
  ['audit', async () => audit(page, any({ allowPrivateAdresses: true })), 'allowPrivateAddresses'],
  ['audit', async () => audit(page, { render: any({ withoutSandBox: true }) }), 'withoutSandbox'],
  ['audit', async () => audit(page, { segments: [any({ name: 'a', patern: '/' })] }), 'pattern'],
  ['checkPage', () => checkPage(page, any({ agent: ['a'] })), 'agents'],
  ['listLinks', async () => listLinks('unused', any({ form: page })), 'from'],
  ['judgeLines', async () => judgeLines([], any({ url: {} })), 'urls'],
  ['judgeLines', async () => judgeLines([], { urls: any({ robots: '', agent: ['a'] }) }), 'agents'],
  ['createService', () => createService(any({ token: ['secret'] })), 'tokens'],
  ['createService', () => createService(any({ ratelimit: 5 })), 'rateLimit'],
  [
    'createMonitor',
    () => createMonitor(any({ database, allowPrivateAdresses: true })),
    'allowPrivateAddresses',
  ],
  ['writeCensus', () => writeCensus([], any({ folder, agent: ['a'] })), 'agents'],
  [
    'writeCensus',
    () => writeCensus([], { ...census, remote: any({ allowPrivateAdresses: true }) }),
    'allowPrivateAddresses',
  ],
  [
    'writeCensus',
    () => writeCensus([], { ...census, remote: { ...remote, retries: any({ counts: 1 }) } }),
    'count',
  ],
  [
    'writeCensus',
    () => writeCensus([], { ...census, remote: { ...remote, s3: any({ regio: '' }) } }),
    'region',
  ],
  ['writeCensus', () => writeCensus([], { ...census, sites: any({ userAgent: 'a', spacin: 1 }) }), 'spacing'],
  ['writeCensus', () => writeCensus([], { ...census, part: any({ indx: 1 }) }), 'index'],
  ['BodyJudge', async () => new BodyJudge(any({ agents: ['a'], profile: 'google', agent: [] })), 'agents'],
  [
    'readInput',
    () => readInput({ path: 'a', format: 'warc', bytes: 0 }, new InputTotals(), any({ remot: {} })).next(),
    'remote',
  ],
  ['readPathList', () => readPathList(any({ list: 'a', bas: 'b' })), 'base'],
  ['readPathList', () => readPathList({ list: 'a' }, any({ singal: 1 })), 'signal'],
  ['readSiteList', () => readSiteList('a', { remote: any({ userAgents: 'a' }) }), 'userAgent'],
  ['findInputs', () => findInputs([], any({ keepMissing: true })), 'keepsMissing'],
  ['readReportData', () => readReportData([], any({ maycrawl: '1', signa: 1 })), 'signal'],
  ['compareCensuses', () => compareCensuses('a', 'b', any({ example: 5 })), 'examples'],
  ['mergeCensus', () => mergeCensus([], any({ folders: 'x' })), 'folder'],
  ['openCensuses', () => openCensuses([], any({ otherFile: [] })), 'otherFiles'],
  ['readReportData', () => readReportData([], any({ weigths: 'x' })), 'weights'],
  ['createCensusHtml', () => createCensusHtml(any({}), any({ pageFolders: 'x' })), 'pageFolder'],
] as const)('%s refuses a misspelled option, and names the nearest one', async (_entry, run, name) => {
  await expect(run()).rejects.toThrow(new RegExp(`unknown option .*"${name}"`));
});

test('the methods of a monitor refuse misspelled settings', async () => {
  const monitor = await createMonitor({ database });
  try {
    await expect(monitor.add(['https://a.example'], any({ evry: 5 }))).rejects.toThrow(/"every"/);
    await expect(monitor.run(any({ onces: true }))).rejects.toThrow(/"once"/);
    await expect(monitor.check([], any({ singal: 5 }))).rejects.toThrow(/"signal"/);
    await expect(monitor.add(['https://a.example'], { agents: ['Mozilla/5.0 (X11)'] })).rejects.toThrow(
      /names no crawler/,
    );
  } finally {
    await monitor.close();
  }
});

test('options of a wrong type, and missing ones, are named', async () => {
  expect(() => audit(page, any({ maxPages: '5' }))).toThrow('"maxPages" must be of type number, not "5"');
  expect(() => judgeLines([], { urls: any({}) })).toThrow('the option "robots" is missing');
  await expect(writeCensus([], any({ agents: [] }))).rejects.toThrow('the option "profile" is missing');
  await expect(readReportData([], any({}))).rejects.toThrow('the option "maycrawl" is missing');
  await expect(createMonitor(any({}))).rejects.toThrow('the option "database" is missing');
});

test.each([
  [{ maxPages: Number.NaN }, '"maxPages" must be a whole number of at least 1, not NaN'],
  [{ maxPages: -1 }, '"maxPages"'],
  [{ maxPages: Number.POSITIVE_INFINITY }, '"maxPages"'],
  [{ maxDepth: 0.5 }, '"maxDepth" must be a whole number of at least 0'],
  [{ delay: Number.NaN }, '"delay" must be a number from 0 to 3600000, not NaN'],
  [{ delay: Number.POSITIVE_INFINITY }, '"delay"'],
  [{ delay: -100 }, '"delay"'],
  [{ concurrency: -1 }, '"concurrency" must be a whole number from 1 to 256'],
  [{ timeout: 0 }, '"timeout"'],
  [{ scope: 'hots' }, 'scope must be one of host, domain, prefix, not "hots"'],
  [{ include: [/x/] }, 'include must be a list of strings'],
  [{ headers: [null] }, 'headers must be pairs of a name and a value'],
  [{ robots: {} }, 'robots must be text or bytes'],
  [{ urls: 5 }, 'urls must be an iterable'],
])('audit refuses the options %o', (options, message) => {
  expect(() => audit(page, any(options))).toThrow(message);
});

test.each([[null], [5], [[null]]])('audit refuses the start %o', (start) => {
  expect(() => audit(any(start))).toThrow('starts must be a list of strings');
});

test.each([
  [{ rateLimit: Number.NaN }, '"rateLimit" must be a whole number of at least 1'],
  [{ rateLimit: -1 }, '"rateLimit"'],
  [{ timeout: -1 }, '"timeout" must be a number from 1 to 3600000'],
  [{ userAgent: '' }, 'User-Agent'],
  [{ store: {} }, 'store'],
  [{ tokens: [''] }, 'tokens must be a list of strings that are not empty'],
  [{ tokens: [5] }, 'tokens'],
  [{ hosts: [5] }, 'hosts'],
])('createService refuses the options %o', async (options, message) => {
  await expect(createService(any(options))).rejects.toThrow(message);
});

test.each([
  ['checkPage(null)', () => checkPage(any(null)), 'checkPage: the URL must be a string, not null'],
  ['checkPage of agents', () => checkPage(page, any({ agents: [5] })), 'agents must be a list of strings'],
  [
    'checkPage of a time',
    () => checkPage(page, { timeout: Number.NaN }),
    '"timeout" must be a number from 1',
  ],
  ['listLinks(null)', async () => listLinks(any(null)), 'the database must be a string'],
  ['judgeLines(null)', async () => judgeLines(any(null)), 'an iterable of bytes, not null'],
  ['judgeLines of text', async () => judgeLines(any('text')), 'an iterable of bytes, not "text"'],
  [
    'judgeLines of one array of bytes',
    async () => judgeLines(any(Buffer.from('text'))),
    'an iterable of bytes',
  ],
  [
    'judgeLines of a format',
    async () => judgeLines([], { urls: any({ robots: '', format: 'cvs' }) }),
    'format must be json or text, not "cvs"',
  ],
  [
    'judgeLines of a robots.txt',
    async () => judgeLines([], { urls: any({ robots: {} }) }),
    'robots must be text or bytes',
  ],
  [
    'judgeLines of agents',
    async () => judgeLines([], { urls: any({ robots: '', agents: [5] }) }),
    'agents must be a list of strings, without 5',
  ],
  ['findInputs(null)', () => findInputs(any(null)), 'findInputs: inputs must be a list of strings'],
  ['findInputs of text', () => findInputs(any('x.warc')), 'inputs must be a list of strings'],
  ['openCensuses(null)', () => openCensuses(any(null)), 'folders of censuses must be a list of strings'],
  ['openCensuses of files', () => openCensuses([], any({ otherFiles: [5] })), 'otherFiles must be a list'],
  ['compareCensuses(null)', () => compareCensuses(any(null), 'b'), 'folders of censuses must be a list'],
  ['readReportData(null)', () => readReportData(any(null), { maycrawl: '1' }), 'folders of censuses must be'],
  ['mergeCensus(null)', () => mergeCensus(any(null), { folder }), 'mergeCensus: folders must be a list'],
  ['readSiteList(null)', () => readSiteList(any(null)), 'the list must be a string'],
  ['createSiteInputs(null)', async () => createSiteInputs(any(null)), 'sites must be a list of strings'],
])('%s names the argument', async (_call, run, message) => {
  await expect(run()).rejects.toThrow(message);
});

test.each([[null], [page], [[5]]])('the methods of a monitor refuse the sites %o', async (sites) => {
  const monitor = await createMonitor({ database });
  try {
    for (const method of ['add', 'remove', 'check'] as const)
      await expect(monitor[method](any(sites))).rejects.toThrow(
        `Monitor.${method}: sites must be a list of strings`,
      );
    for (const name of ['agents', 'notify'])
      await expect(monitor.add([page], any({ [name]: [null] }))).rejects.toThrow(
        `Monitor.add: ${name} must be a list of strings, without null`,
      );
  } finally {
    await monitor.close();
  }
});

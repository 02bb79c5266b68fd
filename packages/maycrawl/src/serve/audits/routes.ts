/**
 * `/audits/`: the reports of audits that are in a folder, each with a page of its own. Symbolic links are not followed.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { timeSlices } from '@maycrawl/client/event-loop';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problems.ts';

/** Reports on one page of the list. */
const PAGE_SIZE = 500;
/** Entries of the folder that are looked at together. */
const BATCH = 64;
/** So many milliseconds one list is used: to make it, the whole folder is read. */
const LIST_TIME = 2_000;

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}
li{padding:.3rem 0}
small{opacity:.75}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A report in the folder. */
interface Report {
  readonly name: string;
  readonly bytes: number;
  /** When it was written. */
  readonly at: Date;
}

/** Adds the list, and the reports. @param folder - of `audit --out FOLDER/NAME`, or of files that `audit report` has written. */
export function addAuditRoutes(api: FastifyInstance, folder: string): void {
  const hide = { schema: { hide: true } } as const;
  let last: { readonly at: number; readonly reports: Promise<readonly Report[]> } | undefined;
  const list = (): Promise<readonly Report[]> => {
    const now = performance.now();
    if (last === undefined || now - last.at >= LIST_TIME) last = { at: now, reports: listReports(folder) };
    return last.reports;
  };
  api.get('/audits', hide, async (_request, reply) => reply.redirect('./audits/', 308));
  api.get<{ Querystring: { readonly page?: string } }>(
    '/audits/',
    {
      schema: {
        hide: true,
        querystring: {
          type: 'object',
          properties: { page: { type: 'string', pattern: '^[1-9][0-9]{0,6}$' } },
        },
      },
    },
    async ({ query: { page = '1' } }, reply) => {
      const reports = await list().catch(refuseFolder);
      reply.headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });
      return reply.type('text/html; charset=utf-8').send(formatList(reports, Number(page)));
    },
  );
  api.get<{ Params: { readonly name: string } }>(
    '/audits/:name',
    hide,
    async ({ params: { name } }, reply) => {
      const found = await openReport(folder, name);
      if (found === undefined) throw new Problem('not-found', 'there is no report of that name');
      const { file, bytes } = found;
      // What else it may do, the report says itself.
      reply.headers({
        'content-security-policy': "frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      });
      reply.header('content-length', bytes).header('cache-control', 'no-cache');
      return reply
        .type('text/html; charset=utf-8')
        .send(file.createReadStream({ end: bytes - 1, autoClose: true }));
    },
  );
}

/** All reports, the newest first. */
async function listReports(folder: string): Promise<Report[]> {
  const reports: Report[] = [];
  let names: string[] = [];
  const look = async (): Promise<void> => {
    for (const report of await Promise.all(names.map((name) => findReport(folder, name))))
      if (report !== undefined) reports.push(report);
    names = [];
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  };
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory()) names.push(entry.name);
    else if (entry.isFile() && entry.name.endsWith('.html')) names.push(entry.name.slice(0, -'.html'.length));
    if (names.length >= BATCH) await look();
  }
  await look();
  // A folder and a file of the same name: the folder is what the name means.
  const unique = new Map(reports.map((report) => [report.name, report]));
  return [...unique.values()].sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** The folder may go while the service runs. */
function refuseFolder(error: NodeJS.ErrnoException): never {
  if (!['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code ?? '')) throw error;
  throw new Problem('not-found', 'the folder of reports cannot be read');
}

/** Where the report of a name may be. */
function getPaths(name: string): readonly string[] {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) return [];
  return [join(name, 'report.html'), `${name}.html`];
}

async function findReport(folder: string, name: string): Promise<Report | undefined> {
  for (const path of getPaths(name)) {
    const found = await lstat(join(folder, path)).catch(() => undefined);
    if (found?.isFile() && found.size > 0) return { name, bytes: found.size, at: found.mtime };
  }
  return undefined;
}

/** Opens the report of a name; `undefined` if there is none. */
async function openReport(
  folder: string,
  name: string,
): Promise<{ readonly file: FileHandle; readonly bytes: number } | undefined> {
  const root = await realpath(folder).catch(refuseFolder);
  for (const path of getPaths(name)) {
    // The last part must not be a link, for the file that is opened; nor the folder above it.
    const file = await open(
      join(root, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch(() => undefined);
    if (file === undefined) continue;
    const found = await file.stat();
    const isInside = (await realpath(join(root, path)).catch(() => '')) === join(root, path);
    if (isInside && found.isFile() && found.size > 0) return { file, bytes: found.size };
    await file.close();
  }
  return undefined;
}

function formatList(reports: readonly Report[], page: number): string {
  const pages = Math.max(1, Math.ceil(reports.length / PAGE_SIZE));
  const items = reports.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ name, at, bytes }) => {
    const about = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
    return `<li><a href="${escapeHtml(encodeURIComponent(name))}">${escapeHtml(name)}</a> <small>${about}</small></li>`;
  });
  const list = items.length === 0 ? '<p>There is no report here.</p>' : `<ul>${items.join('\n')}</ul>`;
  const link = (to: number, text: string): string =>
    to < 1 || to > pages ? '' : ` <a href="?page=${to}">${text}</a>`;
  const turn = `<p>${reports.length} reports, page ${page} of ${pages}.${link(page - 1, 'Newer')}${link(page + 1, 'Older')}</p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>maycrawl audits</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Audits</h1>${list}${turn}<p><a href="../">robots.txt tester</a></p></main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

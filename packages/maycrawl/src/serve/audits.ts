/**
 * `/audits/`: the reports of audits that are kept in a folder, each with a page of its own.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problems.ts';

/** Reports that are listed. */
const MAX_LISTED = 1_000;

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
  readonly path: string;
  readonly bytes: number;
  /** When it was written. */
  readonly at: Date;
}

/** Adds the list, and the reports. @param folder - of `audit --out FOLDER/NAME`, or of files that `audit report` has written. */
export function addAudits(api: FastifyInstance, folder: string): void {
  const hide = { schema: { hide: true } } as const;
  api.get('/audits', hide, async (_request, reply) => reply.redirect('./audits/', 308));
  api.get('/audits/', hide, async (_request, reply) => {
    reply.headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' });
    return reply.type('text/html; charset=utf-8').send(listPage(await reportsIn(folder)));
  });
  api.get<{ Params: { readonly name: string } }>(
    '/audits/:name',
    hide,
    async ({ params: { name } }, reply) => {
      // Only what is listed: no name leads out of the folder.
      const report = (await reportsIn(folder)).find((each) => each.name === name);
      if (report === undefined) throw new Problem('not-found', 'there is no report of that name');
      // What else it may do, the report says itself.
      reply.headers({
        'content-security-policy': "frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      });
      reply.header('content-length', report.bytes).header('cache-control', 'no-cache');
      return reply
        .type('text/html; charset=utf-8')
        .send(createReadStream(report.path, { end: Math.max(0, report.bytes - 1) }));
    },
  );
}

/** The newest first. */
async function reportsIn(folder: string): Promise<Report[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const reports = await Promise.all(entries.slice(0, MAX_LISTED).map((entry) => reportOf(folder, entry)));
  return reports.filter((each) => each !== null).sort((a, b) => b.at.getTime() - a.at.getTime());
}

async function reportOf(folder: string, entry: Dirent): Promise<Report | null> {
  const isFolder = entry.isDirectory();
  if (!isFolder && !entry.name.endsWith('.html')) return null;
  const path = isFolder ? join(folder, entry.name, 'report.html') : join(folder, entry.name);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size === 0) return null;
  const name = isFolder ? entry.name : entry.name.slice(0, -'.html'.length);
  return { name, path, bytes: found.size, at: found.mtime };
}

function listPage(reports: readonly Report[]): string {
  const items = reports.map(({ name, at, bytes }) => {
    const told = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
    return `<li><a href="${escaped(encodeURIComponent(name))}">${escaped(name)}</a> <small>${told}</small></li>`;
  });
  const list = items.length === 0 ? '<p>There is no report yet.</p>' : `<ul>${items.join('\n')}</ul>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>maycrawl audits</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>Audits</h1>${list}<p><a href="../">robots.txt tester</a></p></main></body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

// `/v1/audits` and `/audits/NAME`: the reports of audits in a folder. The page `audits.html` lists them.
import type { FastifyInstance } from 'fastify';
import { AUDIT_LIST, AUDIT_TREND, type AuditList, type AuditTrend } from '../../api/audits-api.ts';
import { selectTrend } from '../../audit/report/trend/read-trend.ts';
import { Problem } from '../http/problems.ts';
import { failures, json } from '../routes/schemas.ts';
import { ReportFolder } from './report-folder.ts';

/** Reports on one page of the list. */
const PAGE_SIZE = 500;

const hide = { schema: { hide: true } } as const;

/** Adds the routes. @param path - of the folder. */
export function addAuditRoutes(api: FastifyInstance, path: string): void {
  const folder = new ReportFolder(path);
  const summary = 'List the reports of audits';
  api.get<{ Querystring: { readonly page?: string } }>(
    '/v1/audits',
    {
      schema: {
        operationId: 'listAudits',
        summary,
        querystring: {
          type: 'object',
          properties: {
            page: {
              type: 'string',
              pattern: '^[1-9][0-9]{0,6}$',
              description: `From 1; ${PAGE_SIZE} reports each.`,
            },
          },
        },
        response: { 200: json(summary, AUDIT_LIST), ...failures },
      },
    },
    async ({ query }): Promise<AuditList> => {
      const reports = await folder.list();
      const page = Number(query.page ?? 1);
      const shown = reports.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      return {
        total: reports.length,
        page,
        pages: Math.max(1, Math.ceil(reports.length / PAGE_SIZE)),
        reports: shown.map((each) => ({ ...each, writtenAt: each.writtenAt.toISOString() })),
      };
    },
  );
  const trend = 'The runs of a site, and how their results developed';
  api.get<{ Querystring: { readonly site?: string } }>(
    '/v1/audits/trend',
    {
      schema: {
        operationId: 'readAuditTrend',
        summary: trend,
        querystring: {
          type: 'object',
          properties: {
            site: {
              type: 'string',
              maxLength: 20_000,
              description: 'The starts of its audits, as in `sites`. By default that of the newest run.',
            },
          },
        },
        response: { 200: json(trend, AUDIT_TREND), ...failures },
      },
    },
    async ({ query }): Promise<AuditTrend> => selectTrend(await folder.listPoints(), query.site),
  );
  // Relative to these paths, so that they work below whatever path a proxy uses.
  api.get('/audits', hide, async (_request, reply) => reply.redirect('./audits.html', 308));
  api.get('/audits/', hide, async (_request, reply) => reply.redirect('../audits.html', 308));
  api.get<{ Params: { readonly name: string } }>(
    '/audits/:name',
    hide,
    async ({ params: { name } }, reply) => {
      const found = await folder.open(name);
      if (found === undefined) throw new Problem('not-found', 'there is no report with this name');
      const { file, bytes } = found;
      // The report itself has a policy for the rest.
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

/**
 * The JSON of `GET /v1/audits`.
 *
 * @module
 */
import type { JsonOf } from './json-schema.ts';

/** A page of the list of reports, the newest first. */
export const AUDIT_LIST = {
  type: 'object',
  required: ['total', 'page', 'pages', 'reports'],
  properties: {
    total: { type: 'integer' },
    page: { type: 'integer', description: 'From 1.' },
    pages: { type: 'integer' },
    reports: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'bytes', 'writtenAt'],
        properties: {
          name: { type: 'string' },
          bytes: { type: 'integer' },
          writtenAt: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
} as const;

/** The response of `GET /v1/audits`. */
export type AuditList = JsonOf<typeof AUDIT_LIST, object>;

// The JSON Schema of a request for preferences.
import { bodyProfile, crawlers, orNull, text, url } from './schemas.ts';

/** Items of the lists of one request for preferences. */
const LISTS = { headers: 1_000, metas: 1_000, rsl: 10, licenses: 100, policyTokens: 20 } as const;

/** `{"url"}`, and the sources of preferences that the client has */
export const preferencesBody: object = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    url,
    agents: crawlers,
    profile: bodyProfile,
    robots: {
      ...text,
      description: 'The robots.txt as text; the service fetches that of the origin if it is omitted.',
    },
    headers: {
      type: 'array',
      items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
      maxItems: LISTS.headers,
      description: 'Name and value of each header line of the response.',
    },
    metas: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'content'],
        additionalProperties: false,
        properties: { name: text, content: text },
      },
      maxItems: LISTS.metas,
      description: 'The meta elements of the page.',
    },
    tdmrep: { ...text, description: 'The text of /.well-known/tdmrep.json.' },
    fetch: { type: 'boolean', description: 'Whether the service requests the page and tdmrep.json.' },
    rsl: {
      type: 'array',
      items: {
        type: 'object',
        required: ['url', 'text'],
        additionalProperties: false,
        properties: {
          url: orNull({
            ...text,
            description:
              'The URL by which License lines, Link headers and link elements refer to the document.',
          }),
          text,
        },
      },
      maxItems: LISTS.rsl,
      description: 'RSL documents. One without a URL applies without a reference.',
    },
    licenses: {
      type: 'array',
      items: text,
      maxItems: LISTS.licenses,
      description: 'The URLs of RSL documents to which link elements of the page refer.',
    },
    inlineRsl: {
      type: 'array',
      items: text,
      maxItems: LISTS.rsl,
      description: 'The RSL documents in script elements in the head of the page.',
    },
    policyTokens: {
      type: 'array',
      items: text,
      maxItems: LISTS.policyTokens,
      description:
        'Product tokens whose groups state a preference about AI training, in addition to the known ones.',
    },
  },
} as const;

// The JSON of `POST /v1/sample`: a sample of the pages of a site, from its sitemaps.
import { freezeDeep } from '@maycrawl/core/internal';
import { type JsonOf, toJsonSchema } from './json-schema.ts';

const SAMPLE = {
  type: 'object',
  properties: {
    origin: { type: 'string' },
    sitemaps: {
      type: 'array',
      description: 'The sitemaps of which the beginning was read.',
      items: {
        type: 'object',
        properties: {
          url: { type: 'string', description: 'As written in the robots.txt or in the index.' },
          entries: { type: 'integer', description: 'The number of URLs that were read.' },
          problem: { type: ['string', 'null'], description: 'Why there are no entries, for people.' },
        },
      },
    },
    others: { type: 'integer', description: 'Entries that are URLs of other origins.' },
    urls: {
      type: 'array',
      items: { type: 'string' },
      description: 'A few URLs of the origin, in different folders if there are any.',
    },
  },
} as const;

/** The schema of the response of `POST /v1/sample`. */
export const SITEMAP_SAMPLE: object = /* @__PURE__ */ freezeDeep(toJsonSchema(SAMPLE));

/** The response of `POST /v1/sample`. */
export type SitemapSample = JsonOf<typeof SAMPLE, object>;

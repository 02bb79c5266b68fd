/** Files and codes for tests of the content of bodies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An optional folder of real robots.txt files, which is not part of this repository. */
const CORPUS =
  process.env['MAYCRAWL_CORPUS'] ??
  fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url));

/** Reads every n-th real file with at most a number of bytes; none if the folder does not exist. */
export function readCorpus(maxBytes: number, step: number): readonly Buffer[] {
  if (!existsSync(CORPUS)) return [];
  const names = readdirSync(CORPUS).filter((name, index) => name.endsWith('.txt') && index % step === 0);
  return names.map((name) => readFileSync(join(CORPUS, name))).filter(({ length }) => length <= maxBytes);
}

/** The codes of findings about declarations and managed blocks. */
export const PREFERENCE_CODES: ReadonlySet<string> = new Set([
  'preference-before-group',
  'preference-between-user-agents',
  'preference-after-last-group',
  'preference-missing-in-own-group',
  'use-without-crawl',
  'conflicting-preferences',
  'managed-block-conflict',
  'licence-comment-only',
  'invalid-preference',
  'unknown-preference-label',
  'old-preference-label',
  'unknown-preference-value',
]);

/** A file as Cloudflare and WordPress write it together. */
export const MANAGED_FILE = `# BEGIN Cloudflare Managed content

User-agent: *
Content-Signal: search=yes,ai-train=no
Allow: /

User-agent: Google-Extended
Disallow: /

User-agent: GPTBot
Disallow: /

# END Cloudflare Managed Content

User-agent: *
Disallow: /wp-admin/
Allow: /wp-admin/admin-ajax.php

User-agent: OAI-SearchBot
Allow: /

User-agent: bingbot
Crawl-delay: 10
`;

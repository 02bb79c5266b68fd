/** The documentation site: its sidebar, and the form of guides. `npm run docs` builds it, and finds dead links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

const { default: config } = (await import(join(ROOT, 'docs/.vitepress/config.mjs'))) as {
  readonly default: { readonly themeConfig: { readonly sidebar: readonly Item[] } };
};

/** The pages of docs/, except the start pages of folders, and what `npm run docs` installs and generates there. */
const PAGES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !/^(?:node_modules|api)\/|(?:^|\/)README\.md$/.test(path))
  .map((path) => path.replaceAll('\\', '/'));

test('the sidebar has each page once, under its title', () => {
  const items = config.themeConfig.sidebar.flatMap((group) => group.items ?? []);
  expect(items.map(({ link }) => `${link?.slice(1)}.md`).sort()).toEqual(PAGES.sort());
  for (const { text, link } of items) expect(text, link).not.toMatch(/\.md$/);
});

const GUIDES = [
  ...[
    'install',
    'crawler',
    'client',
    'pages',
    'fetching',
    'identity',
    'telemetry',
    'other-languages',
    'agents',
  ],
  ...['migrate-from-robots-parser', 'migrate-from-crawlee', 'migrate-from-urllib-robotparser'],
  ...[
    'command',
    'editors',
    'proofs',
    'testing',
    'deployment-checks',
    'watch',
    'audit',
    'logs',
    'preferences',
  ],
  ...['serve', 'operations', 'watch-operations', 'capacity', 'container'],
  ...['census-guide', 'census'],
];

test.each(GUIDES)('docs/%s.md says first what it is for, and last what can go wrong', (name) => {
  const page = readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8');
  const [, introduction = ''] = /^# .+\n\n([\s\S]+?)\n\n/.exec(page) ?? [];
  expect(introduction).toMatch(/^(?!#|\||- |```)[\s\S]*[.:]$/);
  // Without code, whose comments can look like headings.
  const sections = page.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/^## /m);
  const last = sections.at(-1) ?? '';
  expect(last.split('\n')[0]).toBe('What can go wrong');
  const entries = last.match(/^(?:\| (?!what |\|)|- )/gm) ?? [];
  expect(entries.length).toBeGreaterThanOrEqual(3);
});

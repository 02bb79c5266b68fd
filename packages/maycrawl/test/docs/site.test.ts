/** The documentation site: its sidebar. `npm run docs` builds it, and finds dead links. */
import { readdirSync } from 'node:fs';
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

// The documentation site, from the Markdown files of docs/ as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const DOCS = new URL('../', import.meta.url);
const ROOT = new URL('../', DOCS);

/** Returns the first heading of a page, or the title of a page that has no text. */
function readTitle(path) {
  return /^(?:# |title: )(.+)$/m.exec(readFileSync(new URL(path, DOCS), 'utf8'))?.[1] ?? path;
}

/** Lists the pages of a folder, by the order of their names. */
function listPages(folder) {
  return readdirSync(new URL(folder, DOCS))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => getItem(`${folder}${name}`));
}

const getItem = (path) => ({ text: readTitle(path), link: `/${path.replace(/\.md$/, '')}` });
const getGroup = (text, paths) => ({ text, items: paths.map(getItem) });

/**
 * Files outside docs/ are not part of the site. Links to them lead to the repository, whose address only the publisher knows; without it they
 * are plain text.
 */
function linkToRepository(markdown) {
  const repository = process.env.MAYCRAWL_REPOSITORY;
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (!href?.startsWith('../')) continue;
      const target = new URL(href, pathToFileURL(env.realPath ?? env.path)).href;
      if (target.startsWith(DOCS.href)) continue;
      if (repository === undefined) token.attrs = [];
      else token.attrSet('href', `${repository}/blob/HEAD/${target.slice(ROOT.href.length)}`);
    }
  });
}

export default {
  title: 'maycrawl',
  description: 'May this crawler fetch this URL, and why?',
  // GitHub shows README.md as the page of a folder.
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  srcExclude: ['node_modules/**'],
  markdown: { config: linkToRepository },
  cleanUrls: true,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/' },
      { text: 'Playground', link: '/playground' },
      { text: 'API', link: '/api/' },
      { text: 'Findings', link: '/rules/' },
    ],
    sidebar: [
      getGroup('Start', ['install.md']),
      getGroup('Crawler authors', [
        'crawler.md',
        'client.md',
        'pages.md',
        'fetching.md',
        'identity.md',
        'telemetry.md',
        'migrate-from-robots-parser.md',
        'migrate-from-crawlee.md',
        'migrate-from-urllib-robotparser.md',
        'other-languages.md',
        'libraries.md',
        'agents.md',
      ]),
      getGroup('Site owners', [
        'playground.md',
        'command.md',
        'editors.md',
        'proofs.md',
        'testing.md',
        'deployment-checks.md',
        'watch.md',
        'watch-messages.md',
        'audit.md',
        'findings.md',
        'logs.md',
        'logs-formats.md',
        'preferences.md',
        'crawlers.md',
        'operators.md',
      ]),
      getGroup('Operators', [
        'serve.md',
        'operations.md',
        'watch-operations.md',
        'container.md',
        'fleet.md',
        'capacity.md',
        'options.md',
      ]),
      getGroup('Census', ['census-guide.md', 'census.md', 'census-tables.md', 'census-queries.md']),
      getGroup('Reference', [
        'implementations.md',
        'crawler-conformance.md',
        'matching.md',
        'benchmarks.md',
        'glossary.md',
        'faq.md',
      ]),
      getGroup('Maintainers', ['architecture.md', 'dependencies.md', 'releasing.md']),
      { text: 'Findings in robots.txt', link: '/rules/', collapsed: true, items: listPages('rules/') },
      { text: 'Decisions', collapsed: true, items: listPages('decisions/') },
    ],
  },
};

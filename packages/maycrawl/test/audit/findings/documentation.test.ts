import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FINDING_CODES, FINDING_KINDS } from '../../../src/audit/findings/finding-kinds.ts';

const DOCS = fileURLToPath(new URL('../../../../../docs/', import.meta.url));

test('docs/findings.md describes every kind of findings', async () => {
  await expect(formatFindingsPage()).toMatchFileSnapshot(join(DOCS, 'findings.md'));
});

test.each(FINDING_CODES)('%s has sentences, an example in one line, and a source', (code) => {
  const { decision, example, source } = FINDING_KINDS[code];
  expect(decision).toMatch(/^[A-Z].*\.$/);
  expect(example).toMatch(/^[^`\n]+$/);
  expect(source.url).toMatch(
    /^https:\/\/(?:developers\.google\.com\/search|www\.rfc-editor\.org\/rfc|datatracker\.ietf\.org\/doc)\//,
  );
});

/** Formats the page. A heading is the code alone, so that its anchor is the code, too. */
function formatFindingsPage(): string {
  const sections = FINDING_CODES.map((code) => {
    const { severity, one, cost, action, decision, example, source, about, forOthers } = FINDING_KINDS[code];
    const others =
      about === 'indexing'
        ? '- **Other crawlers than those of search engines**: no finding\n'
        : forOthers === undefined
          ? ''
          : `- **Other crawlers than those of search engines**: ${forOthers.severity}. ${forOthers.cost} ${forOthers.action}\n`;
    return `## ${code}

**${severity}** · ${one}

- **When**: ${escapeTags(decision)}
- **Example**: \`${example}\`
- **Effect**: ${cost}
- **What to do**: ${action}
${others}- **Source**: [${source.title}](${source.url})
`;
  });
  return `# Findings of an audit

What [an audit](audit.md#findings) finds wrong with URLs, by severity. A report orders the findings of a run by the number of their URLs
and of the links to them. \`maycrawl audit findings RUN --code CODE\` lists the URLs of a kind. The texts
are those of the command and the report (\`packages/maycrawl/src/audit/findings\`).

${sections.join('\n')}`;
}

function escapeTags(text: string): string {
  return text.replaceAll('<', '\\<');
}

test('no two kinds of a severity have the same rank', () => {
  const ranks = FINDING_CODES.map((code) => `${FINDING_KINDS[code].severity} ${FINDING_KINDS[code].rank}`);
  expect(new Set(ranks).size).toBe(FINDING_CODES.length);
});

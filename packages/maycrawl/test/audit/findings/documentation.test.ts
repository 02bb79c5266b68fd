import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FINDING_CODES, FINDING_KINDS } from '../../../src/audit/finding-kinds/finding-kinds.ts';

const DOCS = fileURLToPath(new URL('../../../../../docs/', import.meta.url));
const PAGE = readFileSync(join(DOCS, 'audit.md'), 'utf8');

test('the documentation has the words of every kind of findings, in order', () => {
  const rows = FINDING_CODES.map((code) => {
    const { severity, one, cost, action } = FINDING_KINDS[code];
    return `| [\`${code}\`](findings.md#${code}) | ${severity} | ${one} | ${cost} | ${action} |`;
  });
  expect(PAGE).toContain(rows.join('\n'));
});

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
    const { severity, one, cost, action, decision, example, source } = FINDING_KINDS[code];
    return `## ${code}

**${severity}** · ${one}

- **When**: ${escapeTags(decision)}
- **Example**: \`${example}\`
- **Effect**: ${cost}
- **What to do**: ${action}
- **Source**: [${source.title}](${source.url})
`;
  });
  return `# Findings of an audit

What [an audit](audit.md#findings) finds wrong with URLs, the most urgent first. \`maycrawl audit findings RUN --code CODE\` lists the URLs of a kind. The texts
are those of the command and the report (\`packages/maycrawl/src/audit/finding-kinds\`).

${sections.join('\n')}`;
}

function escapeTags(text: string): string {
  return text.replaceAll('<', '\\<');
}

test('kinds are ordered by severity', () => {
  const severities = FINDING_CODES.map((code) => FINDING_KINDS[code].severity);
  expect([...new Set(severities)]).toEqual(['error', 'warning', 'info']);
  expect(severities).toEqual([...severities].sort((a, b) => rank(a) - rank(b)));
});

function rank(severity: string): number {
  return ['error', 'warning', 'info'].indexOf(severity);
}

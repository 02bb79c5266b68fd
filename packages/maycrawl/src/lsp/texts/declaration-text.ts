// What a line declares about the use of content.
import type { RobotsRecord, RobotsTxt } from '@maycrawl/core';
import { PURPOSE_MEANINGS } from '@maycrawl/core/crawlers';
import { listDeclarations } from '@maycrawl/core/preferences';
import { formatList, type TextFormat } from './text-format.ts';

const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(PURPOSE_MEANINGS));

/** Describes a record that declares preferences, in paragraphs; empty for other records. */
export function describeDeclaration(
  robots: RobotsTxt,
  { line, kind }: RobotsRecord,
  format: TextFormat,
): string[] {
  if (kind !== 'other') return [];
  const declared = listDeclarations(robots, { policyTokens: [] }).declarations.find(
    (each) => each.line === line,
  );
  if (declared === undefined || declared.statements.length === 0) return [];
  const { agents, path, statements } = declared;
  const scope = [
    agents === null ? 'for all agents' : `for ${format.text(agents.join(', '))}`,
    ...(path === null ? [] : [`and paths that match ${format.code(path)}`]),
  ];
  const items = statements.map(({ purpose, value }) => {
    const meaning = MEANINGS.get(purpose);
    return `${format.text(purpose)}${meaning === undefined ? '' : ` (${format.text(meaning)})`}: ${value}`;
  });
  return [`Declared ${scope.join(' ')}:`, formatList(items)];
}

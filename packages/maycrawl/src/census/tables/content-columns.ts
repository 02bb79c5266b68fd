// The columns of the table `files` about what a file says besides its rules. docs/census-tables.md describes them.
import { MAIN_PURPOSES } from '@maycrawl/core/preferences';
import type { BodyContent } from '../judge/content-judge.ts';
import type { AgentDelay } from '../judge/crawl-delays.ts';
import type {
  AgentConflict,
  AgentPreference,
  DeclarationItem,
  PurposeValues,
} from '../judge/declared-preferences.ts';
import type { FindingCount } from '../judge/findings.ts';
import { type Column, createListColumn, type Field } from './column.ts';

export const CONTENT_COLUMNS: readonly Column<BodyContent>[] = [
  createListColumn<BodyContent, string>('generators', (row) => row.generators, {
    type: 'string',
    get: (name) => name,
  }),
  { name: 'crawlDelayLines', type: 'int32', get: (row) => row.crawlDelayLines },
  createListColumn<BodyContent, AgentDelay>('crawlDelays', (row) => row.crawlDelays, {
    fields: [
      { name: 'agent', type: 'string', get: (each) => each.agent },
      { name: 'seconds', type: 'double', get: (each) => each.seconds },
    ],
  }),
  createListColumn<BodyContent, DeclarationItem>('declarations', (row) => row.declarations, {
    fields: [
      { name: 'format', type: 'string', get: (each) => each.format },
      { name: 'dialect', type: 'string', isNullable: true, get: (each) => each.dialect },
      { name: 'label', type: 'string', isNullable: true, get: (each) => each.label },
      { name: 'purpose', type: 'string', isNullable: true, get: (each) => each.purpose },
      { name: 'value', type: 'string', isNullable: true, get: (each) => each.value },
      { name: 'agents', type: 'string', isNullable: true, get: (each) => each.agents },
      { name: 'path', type: 'string', isNullable: true, get: (each) => each.path },
      { name: 'line', type: 'int32', isNullable: true, get: (each) => each.line },
      { name: 'text', type: 'string', get: (each) => each.text },
    ],
  }),
  { name: 'omittedDeclarations', type: 'int32', get: (row) => row.omittedDeclarations },
  createListColumn<BodyContent, AgentPreference>('preferences', (row) => row.preferences, {
    fields: [
      { name: 'agent', type: 'string', get: (each) => each.agent },
      { name: 'grouped', fields: createPurposeFields((each) => each.grouped) },
      { name: 'global', fields: createPurposeFields((each) => each.global) },
    ],
  }),
  createListColumn<BodyContent, AgentConflict>('conflicts', (row) => row.conflicts, {
    fields: [
      { name: 'agent', type: 'string', get: (each) => each.agent },
      { name: 'purpose', type: 'string', get: (each) => each.purpose },
      { name: 'code', type: 'string', get: (each) => each.code },
    ],
  }),
  createFindingColumn('preferenceFindings', (row) => row.preferenceFindings),
];

/** The column with all findings, if the linter ran. */
export const FINDING_COLUMN: Column<BodyContent> = createFindingColumn(
  'findings',
  (row) => row.findings ?? [],
);

function createFindingColumn(
  name: string,
  getFindings: (row: BodyContent) => readonly FindingCount[],
): Column<BodyContent> {
  return createListColumn<BodyContent, FindingCount>(name, getFindings, {
    fields: [
      { name: 'code', type: 'string', get: (each) => each.code },
      { name: 'count', type: 'int32', get: (each) => each.count },
    ],
  });
}

function createPurposeFields(
  getValues: (each: AgentPreference) => PurposeValues,
): readonly Field<AgentPreference>[] {
  return MAIN_PURPOSES.map((name, index) => ({
    name,
    type: 'string',
    get: (each) => getValues(each)[index],
  }));
}

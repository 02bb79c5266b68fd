// The views with a row for each agent. Each table is read once, however many agents there are: their columns become lists, and a query
// selects the place of an agent in them.
import type { CensusFolder } from './census-folder.ts';
import { quoteName, quoteText, readTable } from './sql-text.ts';

/** The URLs that show a class, and the lines that decide about them. */
const WITNESSES = ['allowedPath', 'allowedLine', 'disallowedPath', 'disallowedLine'];

/** Returns the statements that create the views. They refer to those of `createViews`. */
export function createAgentViews(censuses: readonly CensusFolder[]): readonly string[] {
  return [createAgentNames(censuses), createAgentLists(censuses), createAgents(), createAccess()];
}

/** A row for each agent of a census: its place in lists, from 1. Names are compared without regard to case, as crawlers do. */
function createAgentNames(censuses: readonly CensusFolder[]): string {
  const branches = censuses.map(
    ({ name, summary: { agents } }) =>
      `SELECT ${quoteText(name)} AS census, unnest([${agents.map(quoteText).join(', ')}]) COLLATE NOCASE AS agent,
      unnest(range(1, ${agents.length + 1})) AS place`,
  );
  return `CREATE OR REPLACE VIEW agent_names AS ${branches.join(' UNION ALL ')}`;
}

/** A row for each file, with lists by agent. */
function createAgentLists(censuses: readonly CensusFolder[]): string {
  const branches = censuses.map(({ name, files, summary }) => {
    const fields = summary.agents.map((agent) => `agents.${quoteName(agent)}`);
    return `SELECT ${quoteText(name)} AS census, digest, judgements,
      [${fields.map((field) => `${field}.judgement`).join(', ')}] AS places,
      [${fields.map((field) => `${field}."group"`).join(', ')}] AS groups FROM ${readTable(files)}`;
  });
  return `CREATE OR REPLACE VIEW agent_lists AS ${branches.join(' UNION ALL ')}`;
}

/** A row for each file and agent. */
function createAgents(): string {
  return `CREATE OR REPLACE VIEW agents AS
    SELECT census, digest, agent, judgements[places[place]].class AS class, groups[place] AS "group", ${selectWitnesses()}
    FROM agent_lists JOIN agent_names USING (census)`;
}

/** A row for each site and agent. */
function createAccess(): string {
  return `CREATE OR REPLACE VIEW access AS
    SELECT census, site, domain, tld, outcome, digest, agent,
      CASE
        WHEN digest IS NOT NULL THEN judgements[places[place]].class
        WHEN outcome = 'absent' THEN 'no-file'
        WHEN outcome = 'unreachable' THEN 'unreachable'
        ELSE 'unknown'
      END AS access, groups[place] AS "group", ${selectWitnesses()}
    FROM (FROM sites LEFT JOIN agent_lists USING (census, digest)) JOIN agent_names USING (census)`;
}

function selectWitnesses(): string {
  return WITNESSES.map((field) => `judgements[places[place]].${field} AS ${quoteName(field)}`).join(', ');
}

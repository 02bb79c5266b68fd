// The views over the tables of censuses. docs/census-queries.md describes their columns.
import { resolveAgent } from '@maycrawl/core';
import type { CensusFolder } from './census-folder.ts';
import { quoteName, quoteText, readTable } from './sql-text.ts';

/** Redirects that are followed, as RFC 9309 (2.3.1.2) requires at least. */
const MAX_REDIRECTS = 5;

/** The URLs that show a class, and the lines that decide about them. */
const WITNESSES = ['allowedPath', 'allowedLine', 'disallowedPath', 'disallowedLine'];

/** Outcomes from which the access of agents follows. */
const KNOWN_OUTCOMES = ['rules', 'empty', 'page', 'absent'];

/** Returns the statements that create the views. */
export function createViews(censuses: readonly CensusFolder[]): readonly string[] {
  return [
    createUrlMacro(),
    `CREATE VIEW captures AS ${uniteByName(censuses, ({ captures }) => `SELECT * FROM ${readTable(captures)}`)}`,
    `CREATE VIEW files AS ${uniteByName(censuses, ({ files }) => `SELECT * FROM ${readTable(files)}`)}`,
    `CREATE VIEW censuses AS ${censuses.map(selectCensus).join(' UNION ALL ')}`,
    createNamed(censuses),
    createOrigins(censuses),
    createSites(),
  ];
}

/** Returns the statements that create the views with a row for each agent. They refer to the others. */
export function createAgentViews(censuses: readonly CensusFolder[]): readonly string[] {
  return [createAgents(censuses), createAccess(censuses)];
}

/** Unites a table of each census, with a column `census`. Columns that only some have are null in the others. */
function uniteByName(censuses: readonly CensusFolder[], select: (census: CensusFolder) => string): string {
  return censuses
    .map((census) => `SELECT ${quoteText(census.name)} AS census, * FROM (${select(census)})`)
    .join(' UNION ALL BY NAME ');
}

/** The URL of a capture, in the form of `redirect_target`. */
function createUrlMacro(): string {
  return `CREATE MACRO capture_url(scheme, host, port, path) AS
    scheme || '://' || CASE WHEN contains(host, ':') THEN '[' || host || ']' ELSE host END ||
    CASE WHEN port = CASE scheme WHEN 'http' THEN 80 ELSE 443 END THEN '' ELSE ':' || port END ||
    coalesce(path, '/robots.txt')`;
}

function selectCensus({ name, captures, summary }: CensusFolder): string {
  const { maycrawl, profile, captures: captureCount, files } = summary;
  return `SELECT ${quoteText(name)} AS census, min(time) AS "from", max(time) AS "to", ${captureCount} AS captures,
    ${files} AS files, ${quoteText(profile)} AS profile, ${quoteText(maycrawl)} AS maycrawl
    FROM ${readTable(captures)}`;
}

/** A row for each file and value of its user-agent lines, and whether it names an agent of the census. */
function createNamed(censuses: readonly CensusFolder[]): string {
  const branches = censuses.map(({ name, files, summary }) => {
    const tokens = [...getJudgedTokens(summary.agents)].map(quoteText).join(', ');
    return `SELECT ${quoteText(name)} AS census, digest, each.token AS token, each.value AS value,
      list_contains([${tokens}]::VARCHAR[], each.token) AS judged
      FROM (SELECT digest, unnest(named) AS each FROM ${readTable(files)})`;
  });
  return `CREATE VIEW named AS ${branches.join(' UNION ALL ')}`;
}

/** Returns the product tokens of agents in lower case. */
export function getJudgedTokens(agents: readonly string[]): ReadonlySet<string> {
  const tokens = agents.flatMap((name): readonly string[] => {
    if (name === '*') return ['*'];
    const { crawler } = resolveAgent(name);
    return 'tokens' in crawler ? crawler.tokens : crawler;
  });
  return new Set(tokens.map((token) => token.toLowerCase()));
}

/**
 * A row for each origin. Its first capture counts; a capture without the body (`not-modified`, `duplicate`) only if there is no other.
 * Redirects lead to the first capture of their target.
 */
function createOrigins(censuses: readonly CensusFolder[]): string {
  const captures = uniteByName(
    censuses,
    (census) => `SELECT *, file_row_number AS place FROM ${readTable(census.captures, true)}`,
  );
  return `CREATE VIEW origins AS WITH RECURSIVE
    urls AS MATERIALIZED (
      SELECT census, place, host, domain, scheme, port, path, time, status, outcome, digest, location
      FROM (${captures}) WHERE host <> ''
      QUALIFY row_number() OVER (
        PARTITION BY census, scheme, host, port, path
        ORDER BY outcome IN ('not-modified', 'duplicate'), time NULLS LAST, place
      ) = 1
    ),
    targets AS MATERIALIZED (
      SELECT census, place, path, redirect_target(capture_url(scheme, host, port, path), location) AS target
      FROM urls WHERE outcome = 'redirect'
    ),
    links AS MATERIALIZED (
      SELECT targets.census, targets.place, targets.path, urls.place AS target
      FROM targets JOIN urls ON urls.census = targets.census
        AND capture_url(urls.scheme, urls.host, urls.port, urls.path) = targets.target
    ),
    chains AS (
      SELECT census, place AS start, target AS place, 1 AS redirects FROM links WHERE path IS NULL
      UNION ALL
      SELECT chains.census, chains.start, links.target, chains.redirects + 1
      FROM chains JOIN links USING (census, place) WHERE chains.redirects < ${MAX_REDIRECTS}
    ),
    ends AS (
      SELECT census, start, max(redirects) AS redirects, arg_max(place, redirects) AS place FROM chains GROUP BY ALL
    )
    SELECT first.census, first.host, first.domain, regexp_extract(first.domain, '[^.]*$') AS tld, first.scheme, first.port,
      final.time, final.status, coalesce(ends.redirects, 0) AS redirects,
      CASE
        WHEN final.outcome = 'redirect' THEN targets.target
        WHEN ends.place IS NOT NULL THEN capture_url(final.scheme, final.host, final.port, final.path)
      END AS target,
      final.outcome, final.digest
    FROM urls AS first
      LEFT JOIN ends ON ends.census = first.census AND ends.start = first.place
      JOIN urls AS final ON final.census = first.census AND final.place = coalesce(ends.place, first.place)
      LEFT JOIN targets ON targets.census = final.census AND targets.place = final.place
    WHERE first.path IS NULL`;
}

/**
 * A row for each site, which is a host and port. Ports 80 of http and 443 of https are one site: that of https counts, unless only the
 * other one has an outcome from which access follows.
 */
function createSites(): string {
  return `CREATE VIEW sites AS
    SELECT census, CASE WHEN isDefault THEN host WHEN contains(host, ':') THEN '[' || host || ']:' || port ELSE host || ':' || port END
      AS site, * EXCLUDE (census, isDefault)
    FROM (SELECT *, port = CASE scheme WHEN 'http' THEN 80 ELSE 443 END AS isDefault FROM origins)
    QUALIFY row_number() OVER (
      PARTITION BY census, host, CASE WHEN isDefault THEN 0 ELSE port END
      ORDER BY outcome NOT IN (${KNOWN_OUTCOMES.map(quoteText).join(', ')}), scheme DESC
    ) = 1`;
}

/** A row for each file and agent. A query for one agent reads only its columns. */
function createAgents(censuses: readonly CensusFolder[]): string {
  const branches = censuses.flatMap(({ name, files, summary }) =>
    summary.agents.map((agent) => {
      const value = `agents.${quoteName(agent)}`;
      return `SELECT ${quoteText(name)} AS census, digest, ${quoteText(agent)} AS agent, ${value}.class AS class,
        ${value}."group" AS "group", ${WITNESSES.map((field) => `judgements[${value}.judgement].${field} AS ${quoteName(field)}`).join(', ')}
        FROM ${readTable(files)}`;
    }),
  );
  return `CREATE VIEW agents AS ${branches.join(' UNION ALL ')}`;
}

/** A row for each site and agent. */
function createAccess(censuses: readonly CensusFolder[]): string {
  const names = censuses.flatMap(({ name, summary }) =>
    summary.agents.map((agent) => `(${quoteText(name)}, ${quoteText(agent)})`),
  );
  const site = 'sites.census, sites.site, sites.domain, sites.tld, sites.outcome, sites.digest';
  return `CREATE VIEW access AS
    WITH sites AS MATERIALIZED (FROM sites)
    SELECT ${site}, agents.agent, agents.class AS access, agents."group",
      ${WITNESSES.map((field) => `agents.${quoteName(field)}`).join(', ')}
    FROM sites JOIN agents USING (census, digest)
    UNION ALL BY NAME
    SELECT ${site}, names.agent,
      CASE sites.outcome WHEN 'absent' THEN 'no-file' WHEN 'unreachable' THEN 'unreachable' ELSE 'unknown' END AS access
    FROM sites JOIN (VALUES ${names.join(', ')}) AS names(census, agent) USING (census)
    WHERE sites.digest IS NULL`;
}

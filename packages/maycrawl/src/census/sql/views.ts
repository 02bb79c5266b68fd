// The views over the tables of censuses. docs/census-queries.md describes their columns.
import { resolveAgent } from '@maycrawl/core';
import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';
import type { CensusFolder } from './census-folder.ts';
import { quoteText, readTable } from './sql-text.ts';

/** Redirects that are followed, as RFC 9309 (2.3.1.2) requires at least. */
const MAX_REDIRECTS = 5;

/** Outcomes from which the access of agents follows. */
const KNOWN_OUTCOMES = ['rules', 'empty', 'page', 'absent'];

/** Returns the statements that create the views. */
export function createViews(censuses: readonly CensusFolder[]): readonly string[] {
  return [
    createUrlMacro(),
    `CREATE OR REPLACE VIEW captures AS ${uniteByName(censuses, ({ captures }) => `SELECT * FROM ${readTable(captures)}`)}`,
    `CREATE OR REPLACE VIEW files AS ${uniteByName(censuses, ({ files }) => `SELECT * FROM ${readTable(files)}`)}`,
    `CREATE OR REPLACE VIEW censuses AS ${censuses.map(selectCensus).join(' UNION ALL ')}`,
    createNamed(censuses),
    createOrigins(censuses),
    createSites(),
  ];
}

/** Unites a table of each census, with a column `census`. Columns that only some have are null in the others. */
function uniteByName(censuses: readonly CensusFolder[], select: (census: CensusFolder) => string): string {
  return censuses
    .map((census) => `SELECT ${quoteText(census.name)} AS census, * FROM (${select(census)})`)
    .join(' UNION ALL BY NAME ');
}

/** The URL of a capture, in the form of the column `target`. */
function createUrlMacro(): string {
  return `CREATE OR REPLACE MACRO capture_url(scheme, host, port, path) AS
    scheme || '://' || CASE WHEN contains(host, ':') THEN '[' || host || ']' ELSE host END ||
    CASE WHEN port = CASE scheme WHEN 'http' THEN 80 ELSE 443 END THEN '' ELSE ':' || port END ||
    coalesce(path, '/robots.txt')`;
}

function selectCensus({ name, captures, summary }: CensusFolder): string {
  const { maycrawl, profile, captures: captureCount, files } = summary;
  return `SELECT ${quoteText(name)} AS census, min(time) AS "from", max(time) AS "to",
    count(*) FILTER (host = '') AS "withoutHost", ${captureCount} AS captures,
    ${files} AS files, ${quoteText(profile)} AS profile, ${quoteText(maycrawl)} AS maycrawl
    FROM ${readTable(captures)}`;
}

/**
 * A row for each file and value of its user-agent lines, and whether it names an agent of the census. Tokens are compared without regard
 * to case, as crawlers do.
 */
function createNamed(censuses: readonly CensusFolder[]): string {
  const branches = censuses.map(({ name, files, summary }) => {
    const tokens = [...getJudgedTokens(summary.agents)].map(quoteText).join(', ');
    return `SELECT ${quoteText(name)} AS census, digest, token COLLATE NOCASE AS token, value,
      list_contains([${tokens}]::VARCHAR[], token) AS judged
      FROM (SELECT digest, each.value AS value, ${selectNamedToken('each')} AS token
        FROM (SELECT digest, unnest(named) AS each FROM ${readTable(files)}))`;
  });
  return `CREATE OR REPLACE VIEW named AS ${branches.join(' UNION ALL ')}`;
}

/**
 * Formats the token of a value of user-agent lines. Product tokens have no digits, but names of crawlers can: those that the catalogue knows,
 * such as MJ12bot, are tokens as a whole.
 *
 * @param named - an item of the column `named`.
 */
export function selectNamedToken(named: string): string {
  const names = CRAWLER_RECORDS.map(({ token }) => token.toLowerCase()).filter((token) =>
    /[^a-z_-]/.test(token),
  );
  const word = `regexp_extract(lower(${named}.value), '^[a-z0-9_.-]+')`;
  return `CASE WHEN list_contains([${names.map(quoteText).join(', ')}], ${word}) THEN ${word} ELSE ${named}.token END`;
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
  return `CREATE OR REPLACE VIEW origins AS WITH RECURSIVE
    urls AS MATERIALIZED (
      SELECT census, place, host, domain, scheme, port, path, time, status, outcome, digest, target
      FROM (${captures}) WHERE host <> ''
      QUALIFY row_number() OVER (
        PARTITION BY census, scheme, host, port, path
        ORDER BY outcome IN ('not-modified', 'duplicate'), time NULLS LAST, place
      ) = 1
    ),
    links AS MATERIALIZED (
      SELECT redirects.census, redirects.place, redirects.path, urls.place AS target
      FROM urls AS redirects JOIN urls ON urls.census = redirects.census
        AND capture_url(urls.scheme, urls.host, urls.port, urls.path) = redirects.target
      WHERE redirects.outcome = 'redirect'
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
        WHEN final.outcome = 'redirect' THEN final.target
        WHEN ends.place IS NOT NULL THEN capture_url(final.scheme, final.host, final.port, final.path)
      END AS target,
      final.outcome, final.digest
    FROM urls AS first
      LEFT JOIN ends ON ends.census = first.census AND ends.start = first.place
      JOIN urls AS final ON final.census = first.census AND final.place = coalesce(ends.place, first.place)
    WHERE first.path IS NULL`;
}

/**
 * A row for each site, which is a host and port. Ports 80 of http and 443 of https are one site: that of https counts, unless only the
 * other one has an outcome from which access follows.
 */
function createSites(): string {
  return `CREATE OR REPLACE VIEW sites AS
    SELECT census, CASE WHEN isDefault THEN host WHEN contains(host, ':') THEN '[' || host || ']:' || port ELSE host || ':' || port END
      AS site, * EXCLUDE (census, isDefault)
    FROM (SELECT *, port = CASE scheme WHEN 'http' THEN 80 ELSE 443 END AS isDefault FROM origins)
    QUALIFY row_number() OVER (
      PARTITION BY census, host, CASE WHEN isDefault THEN 0 ELSE port END
      ORDER BY outcome NOT IN (${KNOWN_OUTCOMES.map(quoteText).join(', ')}), scheme DESC
    ) = 1`;
}

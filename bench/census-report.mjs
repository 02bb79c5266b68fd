// Queries, comparisons and the report over generated censuses of SITES sites (by default 1,000,000) and 30 agents: 45 % of the sites have a
// file of their own, 55 % one of 60 common files, 10 % are redirects. Prints wall time, processor time and the maximum resident memory of each,
// in a process of its own. node bench/census-report.mjs [SITES] [CRAWLS, by default 2] [THREADS, by default 2]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { CRAWLERS } from '@maycrawl/core';
import { compareCensuses, openCensuses, readReportData } from 'maycrawl/census';

const AGENTS = CRAWLERS.slice(0, 30).map(({ name }) => name);
const MEMORY = 2e9;
const CLASSES = ['some', 'some', 'some', 'none', 'all', 'listed-only'];

/** Work on the folders of the censuses. */
const TASKS = {
  'sites by outcome': (folders, limits) =>
    query(folders[0], limits, 'SELECT outcome, count(*) FROM sites GROUP BY ALL'),
  'access of one agent': (folders, limits) =>
    query(folders[0], limits, "SELECT access, count(*) FROM access WHERE agent = 'GPTBot' GROUP BY ALL"),
  'access of all agents': (folders, limits) =>
    query(folders[0], limits, 'SELECT agent, access, count(*) FROM access GROUP BY ALL'),
  compare: async (folders, limits) => {
    const { sites } = await compareCensuses(folders[0], folders.at(-1), limits);
    return `${sites} sites in both`;
  },
  report: async (folders, limits) => {
    const data = JSON.stringify(await readReportData(folders, { maycrawl: '0', limits }));
    const sha256 = createHash('sha256').update(data).digest('hex');
    return `${(data.length / 1e6).toFixed(1)} MB of data, SHA-256 ${sha256.slice(0, 16)}`;
  },
};

async function query(folder, limits, sql) {
  const { database } = await openCensuses([folder], limits);
  try {
    let rows = 0;
    for await (const batch of (await database.query(sql)).batches) rows += batch.length;
    return `${rows} rows`;
  } finally {
    database.close();
  }
}

/** Writes a census. The rows depend on nothing but the arguments. */
async function writeCensus(folder, sites, crawl) {
  mkdirSync(folder);
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '4GB' });
  const connection = await instance.connect();
  const files = Math.floor(sites * 0.45);
  const random = (text, count) => `(hash(${text}) % ${count})::INTEGER`;
  // One file in ten changes from crawl to crawl.
  const seed = `CASE WHEN f % 10 = 0 THEN ${crawl} ELSE 0 END`;
  const agents = AGENTS.map((name, agent) => {
    const place = `${random(`f * 31 + ${agent % 7} + ${seed}`, CLASSES.length)} + 1`;
    const group = `['own', 'global', 'global', 'none'][${random(`f * 3 + ${agent}`, 4)} + 1]`;
    return `"${name}" := {'class': [${CLASSES.map((each) => `'${each}'`)}][${place}], 'group': ${group}, 'judgement': ${place}}`;
  });
  const judgements = CLASSES.map(
    (each, line) =>
      `{'class': '${each}', 'allowedPath': '/a', 'allowedLine': 0, 'disallowedPath': '/private-' || f % 1000, 'disallowedLine': ${line + 2}}`,
  );
  const tables = {
    files: `SELECT sha256('file ' || f) AS digest, 'rules' AS kind, ${random('f', 9_000)} AS bytes, false AS "overLimit",
        2 AS "userAgents", 3 AS rules, 1 AS sitemaps, [{'token': '*', 'value': '*'}] AS named, 0 AS unnamed, [${judgements}] AS judgements, struct_pack(${agents}) AS agents,
        CASE WHEN f % 20 = 0 THEN ['WordPress'] ELSE []::VARCHAR[] END AS generators,
        CASE WHEN f % 25 = 0 THEN [{'format': 'content-signal', 'dialect': NULL::VARCHAR, 'label': 'ai-train', 'purpose': 'ai-train',
          'value': 'disallowed', 'agents': '*', 'path': NULL::VARCHAR, 'line': 2, 'text': 'ai-train=no'}] ELSE [] END AS declarations,
        0 AS "omittedDeclarations",
        CASE WHEN f % 500 = 0 THEN [{'agent': '*', 'purpose': 'ai-train', 'code': 'formats-disagree'}] ELSE [] END AS conflicts
      FROM range(${files}) AS numbers(f)`,
    captures: `SELECT host, host AS domain, 'https' AS scheme, 443 AS port, NULL::VARCHAR AS path,
        make_timestamp(2020 + ${crawl}, 1, 1, 0, 0, 0.0) + to_seconds(i // 10) AS time,
        CASE outcome WHEN 'absent' THEN 404 WHEN 'redirect' THEN 301 WHEN 'unreachable' THEN 503 ELSE 200 END AS status, outcome,
        CASE outcome WHEN 'rules' THEN sha256('file ' || f) END AS digest,
        CASE outcome WHEN 'redirect' THEN 'https://host-' || (i * 17) % ${2 * sites} || '.com/robots.txt' END AS location,
        0 AS hops, false AS truncated, 'crawl.warc.gz' AS input, i AS "offset"
      FROM (
        SELECT i, 'host-' || i || '.' || ['com', 'org', 'de', 'net', 'co.uk'][${random('i + 4', 5)} + 1] AS host,
          CASE WHEN ${random('i', 100)} < 17 THEN 'absent' WHEN ${random('i', 100)} < 27 THEN 'redirect'
            WHEN ${random('i', 100)} < 28 THEN 'unreachable' ELSE 'rules' END AS outcome,
          CASE WHEN ${random('i + 1', 100)} < 55 THEN ${random('i + 2', 60)} ELSE i % ${files} END AS f
        FROM range(${sites}) AS numbers(i) WHERE ${random(`i + ${crawl}`, 20)} <> 0
      )`,
  };
  const written = {};
  for (const [table, select] of Object.entries(tables)) {
    const path = join(folder, `${table}.parquet`);
    const rowsPerGroup = table === 'files' ? 5_000 : 50_000;
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE ${rowsPerGroup})`);
    const [[rows]] = await (await connection.run(`SELECT count(*)::INTEGER FROM '${path}'`)).getRowsJson();
    written[table] = { file: `${table}.parquet`, rows, bytes: statSync(path).size, sha256: '' };
  }
  connection.closeSync();
  instance.closeSync();
  const settings = {
    format: 2,
    maycrawl: '0',
    profile: 'google',
    agents: AGENTS,
    readAs: [],
    inputsDigest: '',
  };
  const counts = {
    captures: written.captures.rows,
    files: written.files.rows,
    outcomes: {},
    undecided: {},
    inputs: [],
  };
  const summary = { ...settings, ...counts, part: { index: 1, count: 1 }, tables: written };
  writeFileSync(join(folder, 'census.json'), JSON.stringify(summary));
  return (written.captures.bytes + written.files.bytes) / 1e6;
}

async function runTask([name, threads, ...folders]) {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await TASKS[name](folders, { memory: MEMORY, threads: Number(threads) });
  const { user, system } = process.cpuUsage(before);
  const seconds = [(performance.now() - start) / 1e3, (user + system) / 1e6].map((each) =>
    each.toFixed(1).padStart(6),
  );
  const megabytes = String(Math.round(process.resourceUsage().maxRSS / 1e3)).padStart(6);
  console.log(
    `${name.padEnd(22)}${seconds[0]} s ${seconds[1]} s of processor time ${megabytes} MB, ${result}`,
  );
}

if (process.argv[2] === 'run') await runTask(process.argv.slice(3));
else {
  const [sites = 1_000_000, crawls = 2, threads = 2] = process.argv.slice(2).map(Number);
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-census-report-'));
  try {
    const folders = Array.from({ length: crawls }, (_, crawl) => join(folder, `crawl-${crawl}`));
    let megabytes = 0;
    for (const [crawl, path] of folders.entries()) megabytes += await writeCensus(path, sites, crawl);
    console.log(
      `${crawls} crawls of ${sites} sites, ${AGENTS.length} agents, ${megabytes.toFixed(0)} MB of tables, ${threads} threads, memory limit ${MEMORY / 1e9} GB`,
    );
    for (const name of Object.keys(TASKS)) {
      const args = [fileURLToPath(import.meta.url), 'run', name, String(threads), ...folders];
      const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
      if (status !== 0) throw new Error(`${name} fails`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

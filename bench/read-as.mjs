// How much other readings differ from this library: classes of files for some agents, and verdicts on paths made from the rules.
// With a folder of robots.txt files: node bench/read-as.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@maycrawl/core';
import { compareReadings, OTHER_READINGS } from 'maycrawl/census';
import { readCorpus } from './corpus.mjs';

const AGENTS = ['GPTBot', 'CCBot', 'ClaudeBot', 'Google-Extended', 'Googlebot', 'bingbot'];

const [folder] = process.argv.slice(2);
const { label, files } =
  folder === undefined
    ? readCorpus()
    : {
        label: folder,
        files: readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => readFileSync(join(folder, name))),
      };

const rows = new Map(
  OTHER_READINGS.map(({ name }) => [name, { classes: 0, failed: 0, different: 0, all: 0, probes: 0 }]),
);
for (const content of files)
  for (const { reading, access, expected, different, probes } of compareReadings(
    content,
    parse(content),
    AGENTS,
  )) {
    const row = rows.get(reading);
    row.all++;
    if (access === null) row.failed++;
    else if (access !== expected) row.classes++;
    if (different !== null) {
      row.different += different;
      row.probes += probes;
    }
  }

const percent = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`).padStart(10);
console.log(`${files.length} files (${label}), ${AGENTS.length} agents: ${AGENTS.join(', ')}\n`);
console.log(
  `${'reading'.padEnd(22)}${'other class'.padStart(12)}${'fails'.padStart(10)}${'other verdict'.padStart(15)}`,
);
for (const [name, { classes, failed, all, different, probes }] of rows)
  console.log(
    `${name.padEnd(22)}${percent(classes, all).padStart(12)}${percent(failed, all)}${percent(different, probes).padStart(15)}`,
  );

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeDiagnostic, diagnose, parse, type RobotsTxt, serialize } from '../../src/index.ts';
import { oracleDecide } from '../oracle/oracle.ts';
import { getContent, readVectors } from '../support/vectors.ts';

/** An optional folder of real robots.txt files, which is not part of this repository. */
const CORPUS =
  process.env['MAYCRAWL_CORPUS'] ?? fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));

const VECTORS = readVectors('google-reference.jsonl')
  // The tables of specifications use all of them. A fuzzing run does here, too.
  .filter((_, index) => index % (process.env['FUZZ_RUNS'] === undefined ? 10 : 1) === 0)
  .map((vector) => ({ name: vector.id, content: getContent(vector) }));
const REAL = existsSync(CORPUS)
  ? readdirSync(CORPUS).map((name) => ({ name, content: new Uint8Array(readFileSync(join(CORPUS, name))) }))
  : [];

const toComparableRecords = (robots: RobotsTxt): object[] =>
  robots
    .records()
    .map(({ kind, field, value, line }) => ({ kind, field: kind === 'other' ? field : '', value, line }));

describe.each([
  ['files of the vectors', VECTORS],
  [REAL.length > 0 ? 'real files' : 'real files (skipped: set MAYCRAWL_CORPUS to a folder of files)', REAL],
])('%s', (_name, files) => {
  test.skipIf(files.length === 0)(
    `${files.length} files are parsed, diagnosed, serialized and parsed again`,
    () => {
      for (const { name, content } of files) {
        const robots = parse(content);
        for (const diagnostic of diagnose(robots))
          expect(describeDiagnostic(diagnostic), name).toMatch(/[.?]$/);
        expect(toComparableRecords(parse(serialize(robots))), name).toEqual(toComparableRecords(robots));
      }
    },
  );

  test.skipIf(files.length === 0)(
    `verdicts for ${files.length} files equal those of the naive oracle, for URLs derived from the rules`,
    () => {
      let byRule = 0;
      for (const { name, content } of files) {
        const robots = parse(content);
        const patterns = robots.records().filter(({ kind }) => kind === 'allow' || kind === 'disallow');
        // The oracle is slow, so only a few rules of each file are used.
        const step = Math.ceil(patterns.length / 8);
        for (const { value } of patterns.filter((_, index) => index % step === 0)) {
          const path = `/${value.replace(/^\//, '').replaceAll('*', 'x').replace(/\$$/, '')}`;
          for (const agent of ['Googlebot', 'GPTBot']) {
            const verdict = robots.ruleset(agent).decide(path, { normalize: false });
            if (verdict.kind === 'out-of-scope') throw new Error(verdict.reason);
            if (verdict.line > 0) byRule++;
            const { allowed, line } = oracleDecide({
              content,
              preferences: [[agent]],
              url: path,
              normalize: false,
            });
            expect({ name, path, allowed: verdict.allowed, line: verdict.line }).toEqual({
              name,
              path,
              allowed,
              line,
            });
          }
        }
      }
      expect(byRule).toBeGreaterThan(files.length);
    },
  );
});

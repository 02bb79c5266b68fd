import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decide,
  describeDiagnostic,
  diagnose,
  explainVerdict,
  PROFILES,
  parse,
  type RobotsTxt,
  serialize,
} from '../../src/index.ts';
import { oracleLines, oracleRecord } from '../oracle/oracle.ts';
import { anyBytes, LONG_PARAMETERS, robotsFile } from '../support/arbitraries.ts';

/** The part of the records that serialization preserves: everything except spelling and columns. */
export function toComparableRecords(robots: RobotsTxt): object[] {
  return robots.records().map(({ kind, field, value, text, line }) => ({
    kind,
    field: kind === 'other' ? field : '',
    value,
    text,
    line,
  }));
}

describe.each(PROFILES.map(({ name }) => name))('profile %s', (profile) => {
  test('any bytes can be parsed, diagnosed, decided and explained', () => {
    fc.assert(
      fc.property(anyBytes, fc.string({ unit: 'binary', maxLength: 30 }), (content, address) => {
        const robots = parse(content, { profile });
        robots.groups();
        robots.sitemaps();
        for (const diagnostic of diagnose(robots)) {
          expect(describeDiagnostic(diagnostic)).not.toContain('undefined');
          expect(diagnostic.column).toBeGreaterThan(0);
          expect(diagnostic.length).toBeGreaterThanOrEqual(0);
        }
        for (const url of [address, `https://example.com/${address}`]) {
          for (const normalize of [true, false]) {
            const verdict = decide(content, 'FooBot', url, { profile, normalize });
            expect(explainVerdict(verdict)).not.toContain('undefined');
          }
        }
      }),
      LONG_PARAMETERS,
    );
  });

  test('records equal those of the naive oracle', () => {
    fc.assert(
      fc.property(robotsFile, (content) => {
        const expected = oracleLines(content)
          .map((line) => oracleRecord(line, profile === 'rfc9309'))
          .filter((record) => record !== undefined);
        const records = parse(content, { profile }).records();
        expect(records.map(({ kind, line }) => ({ kind, line }))).toEqual(
          expected.map(({ kind, line }) => ({ kind, line })),
        );
        for (const [index, { kind, value }] of records.entries()) {
          if (kind === 'user-agent' || kind === 'sitemap') continue;
          expect(value).toBe(String.fromCharCode(...(expected[index]?.value ?? [])));
        }
      }),
      LONG_PARAMETERS,
    );
  });

  test('parsing a serialized document returns the same document', () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const robots = parse(content, { profile });
        const again = parse(serialize(robots), { profile });
        expect(toComparableRecords(again)).toEqual(toComparableRecords(robots));
        expect(serialize(again)).toEqual(serialize(robots));
      }),
      LONG_PARAMETERS,
    );
  });

  test('serialization stays within the size limit', () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        const robots = parse(content, { profile, maxBytes: content.length });
        const written = serialize(robots);
        expect(written.length).toBeLessThanOrEqual(content.length);
        expect(toComparableRecords(parse(written, { profile, maxBytes: content.length }))).toEqual(
          toComparableRecords(robots),
        );
      }),
      LONG_PARAMETERS,
    );
  });
});

test('the columns of a record are the positions of its field and value in the line', () => {
  fc.assert(
    fc.property(robotsFile, (content) => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const lines = oracleLines(content).map(({ content: line }) => decoder.decode(new Uint8Array(line)));
      for (const { field, text, line, column, valueColumn } of parse(content).records()) {
        const written = lines[line - 1] ?? '';
        expect(written.slice(column - 1, column - 1 + field.length)).toBe(field);
        expect(written.slice(valueColumn - 1, valueColumn - 1 + text.length)).toBe(text);
      }
    }),
    LONG_PARAMETERS,
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@maycrawl/core';
import { type Finding, lint } from '@maycrawl/core/lint';
import { compareFiles } from '@maycrawl/core/proofs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeAction, Diagnostic, DocumentSymbol, FoldingRange, Hover } from 'vscode-languageserver';
import { type PositionEncoding, TextLines } from '../../src/lsp/positions.ts';
import { readCorpus } from '../census/judge/support.ts';
import { CAPABILITIES, type Session, startHere } from '../support/editor.ts';
import { ROOT } from '../support/run.ts';

interface Sample {
  readonly name: string;
  readonly text: string;
}

const readSample = (path: string): Sample => ({ name: path, text: readFileSync(join(ROOT, path), 'utf8') });

/** The files of the examples, and bad and good files of the documentation of findings. */
const DOCUMENTED: readonly Sample[] = readdirSync(join(ROOT, 'docs', 'rules')).flatMap((name) => {
  const { text } = readSample(`docs/rules/${name}`);
  return Array.from(text.matchAll(/^## (Bad|Good)\n\n```robots\n([\s\S]*?)^```$/gm), (match) => ({
    name: `${name}, ${match[1]}`,
    text: match[2] ?? '',
  }));
});
const SAMPLES = [
  readSample('examples/robots.txt'),
  readSample('examples/robots-edited.txt'),
  ...DOCUMENTED.filter((_, index) => index % 9 === 0),
];
const REAL = readCorpus(20_000, 37).map((bytes, index) => ({
  name: `real file ${index + 1}`,
  text: bytes.toString(),
}));

/** What a person types at the end of a file. */
const TYPED = '\r\nUser-agent: ExampleBot # é😀\nDisallow: /typed/\nDisallow: /typed/ツ\n';

/** Where a finding is, and which one it is. */
const getPlaces = (findings: readonly Finding[]): string[] =>
  findings.map(({ line, code }) => `${line} ${code}`);
const getDiagnosedPlaces = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ range, code }) => `${range.start.line + 1} ${code}`);

describe.each<PositionEncoding>(['utf-16', 'utf-8'])('a session with positions in %s', (encoding) => {
  let session: Session;
  beforeAll(async () => {
    session = startHere();
    const { capabilities } = await session.editor.initialize({
      ...CAPABILITIES,
      general: { positionEncodings: [encoding] },
    });
    expect(capabilities.positionEncoding).toBe(encoding);
  });
  afterAll(async () => {
    await session.editor.exit();
    expect(await session.exitCode).toBe(0);
  });

  const files = encoding === 'utf-8' ? [...SAMPLES.slice(0, 2), ...REAL.slice(0, 3)] : [...SAMPLES, ...REAL];

  test.each(files)('open, type, fix and hover: $name', async ({ name, text }) => {
    const { editor } = session;
    const uri = `file:///${encodeURIComponent(name)}/robots.txt`;
    await editor.open(uri, text);
    expect(getDiagnosedPlaces(await editor.diagnostics(uri))).toEqual(getPlaces(lint(parse(text))));

    let lines = new TextLines(text, encoding);
    for (const char of TYPED) {
      const end = lines.toPosition(lines.text.length);
      const range = { start: end, end };
      await editor.change(uri, { range, text: char });
      lines = lines.replace(range, char);
    }
    expect(lines.text).toBe(text + TYPED);
    const findings = lint(parse(lines.text));
    expect(getDiagnosedPlaces(await editor.diagnostics(uri))).toEqual(getPlaces(findings));

    const last = lines.count - 2;
    const hover = await editor.request<Hover>('hover', uri, { position: { line: last, character: 12 } });
    expect((hover.contents as { value: string }).value).toContain('begin with `/typed/');
    expect(hover.range?.start).toEqual({ line: last, character: 10 });
    expect(hover.range?.end).toEqual({ line: last, character: encoding === 'utf-8' ? 20 : 18 });

    const [actions, symbols, ranges] = await Promise.all([
      editor.request<CodeAction[]>('codeAction', uri, {
        range: { start: { line: 0, character: 0 }, end: { line: lines.count, character: 0 } },
        context: { diagnostics: [], only: ['source.fixAll'] },
      }),
      editor.request<DocumentSymbol[]>('documentSymbol', uri),
      editor.request<FoldingRange[]>('foldingRange', uri),
    ]);
    for (const { range, selectionRange, children = [] } of symbols) {
      expect(lines.toOffset(selectionRange.start)).toBeGreaterThanOrEqual(lines.toOffset(range.start));
      expect(lines.toOffset(selectionRange.end)).toBeLessThanOrEqual(lines.toOffset(range.end));
      for (const child of children) {
        expect(child.range.start.line).toBeGreaterThanOrEqual(range.start.line);
        expect(child.range.end.line).toBeLessThanOrEqual(range.end.line);
      }
    }
    for (const { startLine, endLine } of ranges) {
      expect(endLine).toBeGreaterThan(startLine);
      expect(endLine).toBeLessThan(lines.count);
    }

    const fixable = findings.filter(({ fix }) => fix !== undefined);
    expect(actions.map(({ title }) => title)).toEqual(
      fixable.length < 2 ? [] : [`Fix ${fixable.length} findings of the file (proved: no verdict changes)`],
    );
    for (const { edit } of actions) {
      const [change] = edit?.changes?.[uri] ?? [];
      if (change === undefined) throw new Error('the action has no edit');
      await editor.change(uri, { range: change.range, text: change.newText });
      const fixed = lines.replace(change.range, change.newText).text;
      expect(compareFiles(parse(lines.text), parse(fixed)).equivalent).toBe(true);
      expect(getDiagnosedPlaces(await editor.diagnostics(uri))).toEqual(getPlaces(lint(parse(fixed))));
    }
  });
});

test('the files of the documentation have the diagnostics that they are about', async () => {
  const { editor } = startHere();
  await editor.initialize();
  const bad = DOCUMENTED.filter(({ name }) => name.endsWith('Bad'));
  for (const { name, text } of bad) {
    await editor.open(name, text);
    const codes = (await editor.diagnostics(name)).map(({ code }) => code);
    expect(codes, name).toContain(name.split('.')[0]);
  }
  expect(bad.length).toBeGreaterThan(30);
  await editor.exit();
});

test.skipIf(REAL.length > 0)('no real files (skipped: set MAYCRAWL_CORPUS to a folder of files)', () => {});

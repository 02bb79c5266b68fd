// The outline of a file: groups with their records, and the records that belong to none.
import type { Group, RobotsRecord } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import type { DocumentSymbol, SymbolInformation, SymbolKind } from 'vscode-languageserver';
import { visible } from '../../text/printable.ts';
import type { RobotsDocument } from '../robots-document.ts';

const MAX_NAME = 100;

const KINDS = { group: 3, record: 7, sitemap: 17 } as const satisfies Record<string, SymbolKind>;

/** Returns the outline of the start of a file, in file order. */
export function getSymbols({ head: document }: RobotsDocument): DocumentSymbol[] {
  const { groups, records } = document;
  const grouped = new Set<number>();
  const symbols = groups.flatMap((group) => {
    const members = listRecords(group);
    for (const { line } of members) grouped.add(line);
    const [first] = members;
    if (first === undefined) return [];
    const end = members.at(-1) ?? first;
    const name = group.userAgents.map(({ text }) => text || '(no name)').join(', ');
    const children = members
      .filter(({ kind }) => kind !== 'user-agent')
      .map((record) => createSymbol(document, record, KINDS.record));
    return [
      {
        name: toName(name),
        kind: KINDS.group,
        range: { start: document.toLineRange(first.line).start, end: document.toLineRange(end.line).end },
        selectionRange: document.toLineRange(first.line),
        children,
      },
    ];
  });
  const others = records
    .filter(({ line }) => !grouped.has(line))
    .map((record) =>
      createSymbol(document, record, record.kind === 'sitemap' ? KINDS.sitemap : KINDS.record),
    );
  return [...symbols, ...others].sort((a, b) => a.range.start.line - b.range.start.line);
}

/** Converts an outline to a flat list, for clients that read no other one. */
export function toFlatSymbols(uri: string, symbols: readonly DocumentSymbol[]): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, range, children = [] }) => [
    { name, kind, location: { uri, range } },
    ...children.map((child) => ({
      name: child.name,
      kind: child.kind,
      containerName: name,
      location: { uri, range: child.range },
    })),
  ]);
}

/** The records of a group in file order. */
export function listRecords({ userAgents, rules, others }: Group): RobotsRecord[] {
  return [...userAgents, ...rules, ...others].sort((a, b) => a.line - b.line);
}

function createSymbol(document: RobotsDocument, record: RobotsRecord, kind: SymbolKind): DocumentSymbol {
  const { field, text, line, column, valueColumn } = record;
  return {
    name: toName(`${field}: ${text}`),
    kind,
    range: document.toLineRange(line),
    selectionRange: document.toRange({ line, column, length: valueColumn - column + text.length }),
  };
}

function toName(text: string): string {
  return visible(truncate(text, MAX_NAME));
}

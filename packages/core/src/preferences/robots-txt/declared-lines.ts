// The lines of a robots.txt that declare preferences, for every crawler. Allow and disallow rules end a list of user-agent lines. Under
// draft-ietf-aipref-attach-05 a Content-Usage line is a rule and ends it, too; readers of robots.txt that do not know the field do not
// agree. Both groupings are read in one pass.
import { freezeDeep } from '../../bytes/freeze.ts';
import { decodeUtf8 } from '../../bytes/platform.ts';
import { getSource, type RobotsTxt } from '../../model/robots-txt.ts';
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from '../../syntax/fields.ts';
import { GroupCursor } from '../../syntax/group-cursor.ts';
import { hasColon, type Scanner } from '../../syntax/scanner.ts';
import { DECLARATION_NAMES, type DeclarationFormat } from '../declaration.ts';

/** `own`: Content-Usage ends a list of user-agent lines. `robots`: only allow and disallow rules do. */
export type Grouping = 'own' | 'robots';

/** Consecutive user-agent lines that form the head of a group, as indexes. */
export interface AgentList {
  readonly first: number;
  end: number;
}

export interface DeclaredLine {
  readonly field: DeclarationFormat | 'license';
  /** The group of the line; `null` before the first user-agent line. */
  readonly lists: Readonly<Record<Grouping, AgentList | null>>;
  readonly line: number;
  readonly lineStart: number;
  readonly fieldStart: number;
  readonly fieldEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface DeclaredLines {
  readonly bytes: Uint8Array;
  /** Start and end of the values of all user-agent lines; empty if no line declares anything. */
  readonly agents: readonly (readonly [start: number, end: number])[];
  readonly lines: readonly DeclaredLine[];
}

/** The fields that are read, by their names in lower case. */
const FIELDS: ReadonlyMap<string, DeclarationFormat | 'license'> = new Map([
  ...DECLARATION_NAMES,
  ['license', 'license'] as const,
]);

/** The fields of lines that declare preferences or refer to a licence, in lower case. */
export const DECLARING_FIELDS: readonly string[] = /* @__PURE__ */ freezeDeep([...FIELDS.keys()]);

const MAX_FIELD_LENGTH = 15;
const MIN_FIELD_LENGTH = 7;

/** The lines of the last file: callers read one file for many crawlers and URLs. */
let last: WeakMap<RobotsTxt, DeclaredLines> = new WeakMap();

export function getDeclaredLines(robots: RobotsTxt): DeclaredLines {
  let lines = last.get(robots);
  if (lines === undefined) {
    lines = readDeclaredLines(getSource(robots).scan());
    last = new WeakMap([[robots, lines]]);
  }
  return lines;
}

function readDeclaredLines(scanner: Scanner): DeclaredLines {
  const agents: [number, number][] = [];
  const lines: DeclaredLine[] = [];
  const open: Record<Grouping, AgentList | null> = { own: null, robots: null };
  const cursors: Record<Grouping, GroupCursor> = { own: new GroupCursor(), robots: new GroupCursor() };
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) {
      for (const grouping of ['own', 'robots'] as const) {
        if (cursors[grouping].readAgent()) open[grouping] = { first: agents.length, end: agents.length };
        (open[grouping] as AgentList).end++;
      }
      agents.push([scanner.valueStart, scanner.valueEnd]);
    } else if (kind === ALLOW || kind === DISALLOW) {
      cursors.own.endList();
      cursors.robots.endList();
    } else if (kind === OTHER) {
      const field = getDeclaredField(scanner);
      if (field === undefined) continue;
      if (field === 'content-usage') cursors.own.endList();
      const { line, lineStart, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
      lines.push({ field, lists: { ...open }, line, lineStart, fieldStart, fieldEnd, valueStart, valueEnd });
    }
  }
  return lines.length === 0 ? NO_LINES : { bytes: scanner.bytes, agents, lines };
}

const NO_LINES: DeclaredLines = { bytes: new Uint8Array(), agents: [], lines: [] };

/** Returns what a line declares; `undefined` for other lines. The fields need a colon, unlike rules, which Google also reads with a space. */
function getDeclaredField(scanner: Scanner): DeclarationFormat | 'license' | undefined {
  const { bytes, fieldStart, fieldEnd } = scanner;
  const length = fieldEnd - fieldStart;
  if (length < MIN_FIELD_LENGTH || length > MAX_FIELD_LENGTH) return undefined;
  const field = FIELDS.get(decodeUtf8(bytes, fieldStart, fieldEnd).toLowerCase());
  return field !== undefined && hasColon(scanner) ? field : undefined;
}

// The declarations of a robots.txt that reach a crawler, and those that match a path.
import { decodeUtf8 } from '../../bytes/platform.ts';
import type { AgentTokens } from '../../crawler/crawler.ts';
import { matchTokenSets } from '../../syntax/collect.ts';
import { getColumn, isGlobalAgent } from '../../syntax/record.ts';
import { type ComparedPath, matchesDeclaration } from '../compared-path.ts';
import {
  createDeclaration,
  type Declaration,
  type DeclarationFormat,
  getDistinction,
  type ParsedDeclaration,
  parseDeclaration,
  parsePath,
  type StatementPlace,
} from '../declaration.ts';
import { limitText } from '../statement.ts';
import type { AgentList, DeclaredLine, DeclaredLines, Grouping } from './declared-lines.ts';

/** `agent`: the declaration is in a group that applies to the crawler. `all`: in a group for `*`, or in no group. `others`: elsewhere. */
export type Reach = 'agent' | 'all' | 'others';

interface Addressed {
  readonly reach: Readonly<Record<Grouping, Reach>>;
  /** Whether the line is before the first user-agent line. */
  readonly isUngrouped: boolean;
}

/** A Content-Usage or Content-Signal line. */
export type RobotsDeclaration = Declaration & Addressed;

/** A License line of Really Simple Licensing. */
export interface LicenseLine extends Addressed {
  /** The value as written. */
  readonly url: string;
  readonly line: number;
}

/** The declarations of a file that reach a crawler and match a path. */
export interface MatchingDeclarations {
  /** Distinct declarations whose paths match as patterns. */
  readonly byPattern: readonly RobotsDeclaration[];
  /** Distinct declarations whose paths match as prefixes. */
  readonly byPrefix: readonly RobotsDeclaration[];
}

/** Agents of a group that its declarations name. */
const MAX_AGENTS = 20;

interface ReachingLine extends Addressed {
  readonly line: DeclaredLine;
  readonly format: DeclarationFormat;
}

export class CrawlerDeclarations {
  readonly licenses: readonly LicenseLine[];
  readonly #declared: DeclaredLines;
  readonly #lines: readonly ReachingLine[];
  readonly #parser: RepeatedParser;
  /** The path patterns of the lines, which are parsed once for many URLs. */
  #patterns: readonly (string | null)[] | undefined;

  constructor(declared: DeclaredLines, agentTokens: AgentTokens) {
    const getReach = createReachReader(declared, agentTokens);
    const lines: ReachingLine[] = [];
    const licenses: LicenseLine[] = [];
    for (const line of declared.lines) {
      const { field, lists, valueStart, valueEnd } = line;
      const reach = { own: getReach(lists.own), robots: getReach(lists.robots) };
      const isUngrouped = lists.own === null;
      if (field === 'license') {
        const url = decodeUtf8(declared.bytes, valueStart, valueEnd);
        licenses.push({ reach, isUngrouped, url, line: line.line });
      } else if (reach.own !== 'others' || reach.robots !== 'others') {
        lines.push({ line, format: field, reach, isUngrouped });
      }
    }
    this.licenses = licenses;
    this.#declared = declared;
    this.#lines = lines;
    this.#parser = new RepeatedParser(declared.bytes);
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && this.licenses.length === 0;
  }

  get arePathless(): boolean {
    return this.#getPatterns().every((pattern) => pattern === null);
  }

  #getPatterns(): readonly (string | null)[] {
    this.#patterns ??= this.#lines.map(
      ({ line: { valueStart, valueEnd } }) => parsePath(this.#declared.bytes, valueStart, valueEnd).pattern,
    );
    return this.#patterns;
  }

  /** Selects the declarations that match a path. Declarations that cannot be distinguished are selected once. */
  match(path: ComparedPath): MatchingDeclarations {
    const byPattern = new Map<string, RobotsDeclaration>();
    const byPrefix = new Map<string, RobotsDeclaration>();
    const patterns = this.#getPatterns();
    for (const [index, { line, format, reach, isUngrouped }] of this.#lines.entries()) {
      const { valueStart, valueEnd } = line;
      const pattern = patterns[index] ?? null;
      const matching = [
        ...(matchesDeclaration(pattern, path, false) ? [byPattern] : []),
        ...(matchesDeclaration(pattern, path, true) ? [byPrefix] : []),
      ];
      if (matching.length === 0) continue;
      const parsed = this.#parser.parse(format, valueStart, valueEnd);
      const distinction = `${reach.own} ${reach.robots} ${getDistinction(format, parsed)}`;
      const missing = matching.filter((found) => !found.has(distinction));
      if (missing.length === 0) continue;
      const place = createPlace(this.#declared, line);
      const declaration = { ...createDeclaration(format, parsed, place), reach, isUngrouped };
      for (const found of missing) found.set(distinction, declaration);
    }
    return { byPattern: [...byPattern.values()], byPrefix: [...byPrefix.values()] };
  }
}

/** Returns a function that says whom the group of a list of user-agent lines reaches, beside the most specific group of the crawler. */
function createReachReader(
  { bytes, agents }: DeclaredLines,
  agentTokens: AgentTokens,
): (list: AgentList | null) => Reach {
  const bits = agents.map(([start, end]) => matchTokenSets(bytes, start, end, agentTokens));
  const seen = bits.reduce((all, each) => all | each, 0);
  const chosen = seen & -seen;
  const reaches = new Map<AgentList, Reach>();
  const read = ({ first, end }: AgentList): Reach => {
    for (let i = first; i < end; i++) if (((bits[i] as number) & chosen) !== 0) return 'agent';
    return agents.slice(first, end).some(([start, stop]) => isGlobalAgent(bytes, start, stop))
      ? 'all'
      : 'others';
  };
  return (list) => {
    if (list === null) return 'all';
    const reach = reaches.get(list) ?? read(list);
    reaches.set(list, reach);
    return reach;
  };
}

/** Parses each text once: a file can repeat a line ten thousand times. */
class RepeatedParser {
  readonly #bytes: Uint8Array;
  readonly #parsed = new Map<string, ParsedDeclaration>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  parse(format: DeclarationFormat, start: number, end: number): ParsedDeclaration {
    const text = `${format} ${decodeUtf8(this.#bytes, start, end)}`;
    const parsed = this.#parsed.get(text) ?? parseDeclaration(format, this.#bytes, start, end);
    this.#parsed.set(text, parsed);
    return parsed;
  }
}

const NO_KEYS: ParsedDeclaration = { pattern: null, path: null, keys: [], isClean: true };

/** Reads a line for every crawler. A License line has the format `rsl`, its URL as its text, and no claims. */
export function readDeclaration(declared: DeclaredLines, line: DeclaredLine): Declaration {
  const { field, valueStart, valueEnd } = line;
  const place = createPlace(declared, line);
  return field === 'license'
    ? createDeclaration('rsl', NO_KEYS, place)
    : createDeclaration(field, parseDeclaration(field, declared.bytes, valueStart, valueEnd), place);
}

function createPlace({ bytes, agents }: DeclaredLines, line: DeclaredLine): StatementPlace {
  const list = line.field === 'content-usage' ? line.lists.own : line.lists.robots;
  const named = list === null ? null : agents.slice(list.first, Math.min(list.end, list.first + MAX_AGENTS));
  return {
    source: 'robots.txt',
    name: decodeUtf8(bytes, line.fieldStart, line.fieldEnd),
    text: decodeUtf8(bytes, line.valueStart, line.valueEnd),
    line: line.line,
    column: getColumn(bytes, line.lineStart, line.valueStart),
    agents: named?.map(([start, end]) => limitText(decodeUtf8(bytes, start, end))) ?? null,
  };
}

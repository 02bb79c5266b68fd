/**
 * The declarations of a robots.txt, and which of them reach a crawler. Allow and disallow rules end a list of user-agent lines. Under
 * draft-ietf-aipref-attach-05 a Content-Usage line is a rule and ends it, too; readers of robots.txt that do not know the field do not
 * agree. Both groupings are read in one pass.
 *
 * @module
 */
import { COLON } from '../bytes/ascii.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import type { Preference } from '../crawler/crawler.ts';
import { matchTokenSets } from '../syntax/collect.ts';
import { ALLOW, DISALLOW, OTHER, USER_AGENT } from '../syntax/fields.ts';
import { getColumn, isGlobalAgent } from '../syntax/record.ts';
import type { Scanner } from '../syntax/scanner.ts';
import {
  createDeclaration,
  type Declaration,
  type DeclarationFormat,
  parseDeclaration,
  type StatementPlace,
} from './declaration.ts';
import { limitText } from './statement.ts';

/** `own`: Content-Usage ends a list of user-agent lines. `robots`: only allow and disallow rules do. */
export type Grouping = 'own' | 'robots';

/** `agent`: the declaration is in a group that applies to the crawler. `all`: in a group for `*`, or in no group. `others`: elsewhere. */
export type Reach = 'agent' | 'all' | 'others';

/** A line, and whom it reaches. */
interface Addressed {
  readonly reach: Readonly<Record<Grouping, Reach>>;
  /** Whether the line is before the first user-agent line. */
  readonly isOrphan: boolean;
}

/** A Content-Usage or Content-Signal line. */
export type RobotsDeclaration = Declaration & Addressed;

/** A License line of Really Simple Licensing. */
export interface LicenseLine extends Addressed {
  /** The value as written. */
  readonly url: string;
  readonly place: StatementPlace;
}

/** The declarations of a file, as one crawler reads them. */
export interface RobotsDeclarations {
  readonly declarations: readonly RobotsDeclaration[];
  readonly licenses: readonly LicenseLine[];
}

/** The fields that are read, by their names in lower case. */
const FIELDS: ReadonlyMap<string, DeclarationFormat | 'license'> = new Map([
  ['content-usage', 'content-usage'],
  ['content-signal', 'content-signal'],
  ['content-signals', 'content-signal'],
  ['license', 'license'],
]);
const MAX_FIELD_LENGTH = 15;
const MIN_FIELD_LENGTH = 7;

/** Agents of a group that its declarations name. */
const MAX_AGENTS = 20;

/** A group of a file under one grouping. */
interface OpenGroup {
  bits: number;
  isGlobal: boolean;
  /** Start and end of the values of its first user-agent lines. */
  readonly ranges: [start: number, end: number][];
  /** These values as written, once a declaration needs them. */
  agents: readonly string[] | null;
}

class GroupReader {
  readonly #preference: Preference;
  #isListClosed = true;
  seen = 0;
  /** `null` before the first user-agent line. */
  group: OpenGroup | null = null;

  constructor(preference: Preference) {
    this.#preference = preference;
  }

  addAgent({ bytes, valueStart, valueEnd }: Scanner): void {
    if (this.#isListClosed) this.group = { bits: 0, isGlobal: false, ranges: [], agents: null };
    this.#isListClosed = false;
    const group = this.group as OpenGroup;
    group.bits |= matchTokenSets(bytes, valueStart, valueEnd, this.#preference);
    group.isGlobal ||= isGlobalAgent(bytes, valueStart, valueEnd);
    if (group.ranges.length < MAX_AGENTS) {
      group.ranges.push([valueStart, valueEnd]);
      group.agents = null;
    }
    this.seen |= group.bits;
  }

  closeList(): void {
    this.#isListClosed = true;
  }

  getReach(group: OpenGroup | null): Reach {
    if (group === null) return 'all';
    if ((group.bits & this.seen & -this.seen) !== 0) return 'agent';
    return group.isGlobal ? 'all' : 'others';
  }
}

/** Reads the declarations of a file. @param scanner - before the first line. */
export function readRobotsDeclarations(scanner: Scanner, preference: Preference): RobotsDeclarations {
  const groups: Record<Grouping, GroupReader> = {
    own: new GroupReader(preference),
    robots: new GroupReader(preference),
  };
  const found: {
    line: Declaration | Omit<LicenseLine, keyof Addressed>;
    of: Record<Grouping, OpenGroup | null>;
  }[] = [];
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === USER_AGENT) for (const reader of Object.values(groups)) reader.addAgent(scanner);
    else if (kind === ALLOW || kind === DISALLOW)
      for (const reader of Object.values(groups)) reader.closeList();
    const field = kind === OTHER ? getDeclaredField(scanner) : undefined;
    if (field === undefined) continue;
    if (field === 'content-usage') groups.own.closeList();
    const of = { own: groups.own.group, robots: groups.robots.group };
    const place = createPlace(scanner, field === 'content-usage' ? of.own : of.robots);
    const { bytes, valueStart, valueEnd } = scanner;
    const line =
      field === 'license'
        ? { url: place.text, place }
        : createDeclaration(field, parseDeclaration(field, bytes, valueStart, valueEnd), place);
    found.push({ line, of });
  }
  const address = (of: Record<Grouping, OpenGroup | null>): Addressed => ({
    reach: { own: groups.own.getReach(of.own), robots: groups.robots.getReach(of.robots) },
    isOrphan: of.own === null,
  });
  return {
    declarations: found.flatMap(({ line, of }) => ('claims' in line ? [{ ...line, ...address(of) }] : [])),
    licenses: found.flatMap(({ line, of }) => ('url' in line ? [{ ...line, ...address(of) }] : [])),
  };
}

/** Returns what a line declares; `undefined` for other lines. The fields need a colon, unlike rules, which Google also reads with a space. */
export function getDeclaredField(scanner: Scanner): DeclarationFormat | 'license' | undefined {
  const { bytes, fieldStart, fieldEnd, valueStart } = scanner;
  const length = fieldEnd - fieldStart;
  if (length < MIN_FIELD_LENGTH || length > MAX_FIELD_LENGTH) return undefined;
  const field = FIELDS.get(decodeUtf8(bytes, fieldStart, fieldEnd).toLowerCase());
  if (field === undefined) return undefined;
  for (let at = fieldEnd; at < valueStart; at++) if (bytes[at] === COLON) return field;
  return undefined;
}

function createPlace(scanner: Scanner, group: OpenGroup | null): StatementPlace {
  const { bytes, line, lineStart, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
  return {
    source: 'robots.txt',
    name: decodeUtf8(bytes, fieldStart, fieldEnd),
    text: decodeUtf8(bytes, valueStart, valueEnd),
    line,
    column: getColumn(bytes, lineStart, valueStart),
    agents: group === null ? null : getAgents(bytes, group),
  };
}

/** Returns the first 20 agents of a group as written. */
function getAgents(bytes: Uint8Array, group: OpenGroup): readonly string[] {
  group.agents ??= group.ranges.map(([start, end]) => limitText(decodeUtf8(bytes, start, end)));
  return group.agents;
}

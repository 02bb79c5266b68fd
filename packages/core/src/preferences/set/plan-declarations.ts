// Plans the Content-Usage and Content-Signal lines: which lines change, and where lines are added.
import { addToList } from '../../bytes/add-to-list.ts';
import { toByteString } from '../../bytes/byte-string.ts';
import type { DeclarationFormat } from '../declaration.ts';
import type { PreferenceLine } from '../robots-txt/preference-lines.ts';
import type { EditReason, RawEdit } from './edit.ts';
import type { FileGroups, GroupPart } from './file-groups.ts';
import { rewriteLine } from './rewrite-line.ts';
import {
  compareWithSetting,
  formatStatement,
  LINE_FORMATS,
  labelSettings,
  type PreferenceSetting,
} from './setting.ts';

export interface DeclarationPlan {
  readonly edits: readonly RawEdit[];
  /** Statements that need a group of their own, by token. */
  readonly ungrouped: ReadonlyMap<string, readonly string[]>;
  /** Lines of managed blocks that state the opposite, and stay because a refusal outside of the block is stronger. */
  readonly tolerated: readonly PreferenceLine[];
  /** Lines that state the opposite and cannot change, because they would exceed the length that parsers read. */
  readonly unwritable: readonly PreferenceLine[];
}

/** The settings that a line or a place is to state, and why. */
type Needs<T> = Map<T, Map<PreferenceSetting, EditReason>>;

/**
 * Plans the declarations for every crawler that may fetch any URL.
 *
 * @param formats - the formats that state the settings. In the others, only lines that state the opposite change.
 * @param exempt - tokens in lower case that need no declarations.
 */
export function planDeclarations(
  file: FileGroups,
  settings: readonly PreferenceSetting[],
  formats: ReadonlySet<string>,
  exempt: ReadonlySet<string>,
): DeclarationPlan {
  const required = [...file.parts].filter(
    ([token]) => token !== '' && !exempt.has(token) && !file.isDisallowed(token),
  );
  const edits: RawEdit[] = [];
  const ungrouped = new Map<string, string[]>();
  const tolerated: PreferenceLine[] = [];
  const unwritable: PreferenceLine[] = [];
  const added = new Map<GroupPart, string[]>();
  for (const format of LINE_FORMATS) {
    const planner = new FormatPlanner(file, format, settings);
    if (formats.has(format)) planner.require(required);
    for (const edit of planner.edits()) edits.push(edit);
    for (const line of planner.tolerated) tolerated.push(line);
    for (const line of planner.unwritable) unwritable.push(line);
    for (const [part, statement] of planner.statements()) addToList(added, part, statement);
    for (const [token, own] of planner.ungrouped)
      addToList(ungrouped, token, formatStatement(format, labelSettings(format, [...own])));
  }
  for (const [part, statements] of added) edits.push(createInsertion(file, part, statements, exempt));
  return { edits, ungrouped, tolerated, unwritable };
}

const MAX_NAMED = 3;

function createInsertion(
  { source }: FileGroups,
  { end, userAgents }: GroupPart,
  added: readonly string[],
  exempt: ReadonlySet<string>,
): RawEdit {
  const names = userAgents.filter(({ productToken }) => !exempt.has(productToken)).map(({ text }) => text);
  const further = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return {
    line: end,
    removed: null,
    added,
    reason: 'missing-statement',
    message: `the group of ${names.slice(0, MAX_NAMED).join(', ')}${further} does not state it`,
    managedBy: source.getVendor(end),
  };
}

/** The reasons to change a line, the most important first. */
const DESCRIBED: readonly (readonly [reason: EditReason, text: string])[] = [
  ['opposite-statement', 'the line states the opposite about'],
  ['narrower-path', 'for its path, the line replaces the statements for all paths and says nothing about'],
  ['missing-statement', 'the crawlers of the group read no statement about'],
];

class FormatPlanner {
  readonly ungrouped: Map<string, Set<PreferenceSetting>> = new Map();
  readonly tolerated: PreferenceLine[] = [];
  readonly unwritable: PreferenceLine[] = [];
  readonly #file: FileGroups;
  readonly #format: DeclarationFormat;
  readonly #settings: readonly PreferenceSetting[];
  readonly #changed: Needs<PreferenceLine> = new Map();
  /** Statements for the path of a line, after it. */
  readonly #repeated: Needs<PreferenceLine> = new Map();
  /** Statements for all paths. */
  readonly #added: Needs<GroupPart> = new Map();

  constructor(file: FileGroups, format: DeclarationFormat, settings: readonly PreferenceSetting[]) {
    this.#file = file;
    this.#format = format;
    this.#settings = settings.filter((setting) => labelSettings(format, [setting]).length > 0);
    for (const line of file.lines.values()) if (line.format === format) this.#changeOpposite(line);
  }

  /** Plans that every crawler reads the settings: those that obey the groups for a token, for all paths and the paths of its lines. */
  require(required: readonly (readonly [token: string, parts: readonly GroupPart[]])[]): void {
    const named = new Set(required.flatMap(([, parts]) => parts));
    // By the grouping of robots.txt, the declarations of a group reach all of its agents.
    for (const { parts } of new Set([...named].map(({ group }) => group)))
      for (const part of parts) this.#requireOnPaths(part);
    // A list that is the only one of a token gets the statement first, so that fewer lists need one.
    const ordered = [...required].sort(([, a], [, b]) => a.length - b.length);
    for (const setting of this.#settings) {
      const stating = new Set<GroupPart>();
      for (const part of named)
        if (part.lines.some((line) => line.declaration.pattern === null && this.#states(line, setting)))
          stating.add(part);
      const chosen: GroupPart[] = [];
      for (const [token, parts] of ordered) {
        if (parts.some((part) => stating.has(part))) continue;
        const part = parts.find(({ isManaged }) => !isManaged);
        if (part === undefined) this.#addUngrouped(token, setting);
        else {
          stating.add(part);
          chosen.push(part);
        }
      }
      for (const part of removeSuperfluous(chosen, stating, required)) this.#addTo(part, setting);
      if (!this.#file.parts.has('*')) this.#addUngrouped('*', setting);
    }
  }

  edits(): RawEdit[] {
    const { source } = this.#file;
    const edits: RawEdit[] = [];
    for (const [line, reasons] of this.#changed) {
      const added = rewriteLine(line, [...reasons.keys()], source);
      if (added === null) this.unwritable.push(line);
      else edits.push(this.#createEdit(line, source.getText(line.record.line), added, reasons));
    }
    for (const [line, reasons] of this.#repeated) {
      const { bytes, start } = line.keys;
      const path = toByteString(bytes, line.valueStart, start).trimEnd();
      edits.push(this.#createEdit(line, null, this.#formatSettings(reasons, path), reasons));
    }
    return edits;
  }

  *statements(): Generator<[GroupPart, string]> {
    for (const [part, reasons] of this.#added) yield [part, this.#formatSettings(reasons, null)];
  }

  #formatSettings(reasons: ReadonlyMap<PreferenceSetting, EditReason>, path: string | null): string {
    return formatStatement(this.#format, labelSettings(this.#format, [...reasons.keys()]), path);
  }

  #createEdit(
    { record: { line } }: PreferenceLine,
    removed: string | null,
    added: string,
    reasons: ReadonlyMap<PreferenceSetting, EditReason>,
  ): RawEdit {
    const described = DESCRIBED.flatMap(([reason, text]) => {
      const purposes = [...reasons].filter(([, each]) => each === reason).map(([{ purpose }]) => purpose);
      return purposes.length === 0 ? [] : [{ reason, text: `${text} ${purposes.join(' and ')}` }];
    });
    return {
      line,
      removed,
      added: [added],
      reason: described[0]?.reason ?? 'missing-statement',
      message: described.map(({ text }) => text).join('; '),
      managedBy: this.#file.source.getVendor(line),
    };
  }

  #changeOpposite(line: PreferenceLine): void {
    const isManaged = this.#file.source.getVendor(line.record.line) !== null;
    for (const setting of this.#settings) {
      if (compareWithSetting(line.declaration, setting) !== 'contradicts') continue;
      // Of statements for the same paths, the refusal applies.
      if (isManaged && setting.value === 'disallowed' && line.declaration.pattern === null)
        this.tolerated.push(line);
      else addNeed(this.#changed, line, setting, 'opposite-statement');
    }
  }

  #states(line: PreferenceLine, setting: PreferenceSetting): boolean {
    if (line.format !== this.#format) return false;
    return (
      this.#changed.get(line)?.has(setting) === true ||
      compareWithSetting(line.declaration, setting) === 'states'
    );
  }

  /** A line with a path replaces all statements with shorter paths, also those about other purposes. */
  #requireOnPaths({ lines }: GroupPart): void {
    const byPath = new Map<string, PreferenceLine[]>();
    for (const line of lines) {
      const { pattern } = line.declaration;
      if (line.format === this.#format && pattern !== null) addToList(byPath, pattern, line);
    }
    for (const same of byPath.values())
      for (const setting of this.#settings) {
        if (same.some((line) => this.#states(line, setting))) continue;
        const line = same.find((each) => this.#canState(each, setting));
        if (line !== undefined) addNeed(this.#changed, line, setting, 'narrower-path');
        else addNeed(this.#repeated, same.at(-1) as PreferenceLine, setting, 'narrower-path');
      }
  }

  #addTo(part: GroupPart, setting: PreferenceSetting): void {
    const line = part.lines.find(
      (each) =>
        each.format === this.#format &&
        each.declaration.pattern === null &&
        this.#file.source.getVendor(each.record.line) === null &&
        this.#canState(each, setting),
    );
    if (line === undefined) addNeed(this.#added, part, setting, 'missing-statement');
    else addNeed(this.#changed, line, setting, 'missing-statement');
  }

  #canState(line: PreferenceLine, setting: PreferenceSetting): boolean {
    const settings = [...(this.#changed.get(line)?.keys() ?? []), setting];
    return rewriteLine(line, settings, this.#file.source) !== null;
  }

  #addUngrouped(token: string, setting: PreferenceSetting): void {
    const settings = this.ungrouped.get(token) ?? new Set();
    settings.add(setting);
    this.ungrouped.set(token, settings);
  }
}

/** Removes chosen lists whose crawlers all read another list that states the setting. */
function removeSuperfluous(
  chosen: readonly GroupPart[],
  stating: ReadonlySet<GroupPart>,
  required: readonly (readonly [token: string, parts: readonly GroupPart[]])[],
): GroupPart[] {
  const counts = new Map<string, number>();
  const tokens = new Map<GroupPart, string[]>(chosen.map((part) => [part, []]));
  for (const [token, parts] of required) {
    const own = parts.filter((part) => stating.has(part));
    counts.set(token, own.length);
    for (const part of own) tokens.get(part)?.push(token);
  }
  return chosen.filter((part) => {
    const named = tokens.get(part) ?? [];
    if (named.some((token) => (counts.get(token) ?? 0) < 2)) return true;
    for (const token of named) counts.set(token, (counts.get(token) ?? 0) - 1);
    return false;
  });
}

function addNeed<T>(needs: Needs<T>, key: T, setting: PreferenceSetting, reason: EditReason): void {
  const settings = needs.get(key);
  if (settings === undefined) needs.set(key, new Map([[setting, reason]]));
  else settings.set(setting, reason);
}

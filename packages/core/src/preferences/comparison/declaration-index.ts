/**
 * The declarations of a file by group, so that those of many crawlers are found with one pass over the file.
 *
 * @module
 */
import type { AgentTokens } from '../../crawler/crawler.ts';
import { AgentNames } from '../../model/agent-names.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import {
  createDeclaration,
  type Declaration,
  parseDeclaration,
  type StatementPlace,
} from '../declaration.ts';
import { type DeclaredLine, type DeclaredLines, getDeclaredLines } from '../robots-txt/declared-lines.ts';
import { createPlace } from '../robots-txt/robots-declarations.ts';

/** A License line. */
interface LicenseDeclaration {
  /** The value as written. */
  readonly url: string;
  readonly place: StatementPlace;
}

/** A line that declares something. */
export type DeclaringLine = Declaration | LicenseDeclaration;

/** The number of the lines before the first group. */
export const NO_GROUP = -1;

/** The declarations of a file by group, under the grouping `own`. The number of a group is the index of its first user-agent line. */
export class DeclarationIndex {
  /** All declarations and License lines, in file order. */
  readonly lines: readonly DeclaringLine[];
  readonly #names: AgentNames = new AgentNames();
  readonly #byGroup: Map<number, DeclaringLine[]> = new Map();

  constructor(robots: RobotsTxt) {
    const declared = getDeclaredLines(robots);
    const groups = new Map<number, number>();
    const lines: DeclaringLine[] = [];
    for (const line of declared.lines) {
      const list = line.lists.own;
      if (list !== null)
        for (let agent = list.first; agent < list.end; agent++) groups.set(agent, list.first);
      const group = list?.first ?? NO_GROUP;
      const declaring = readLine(declared, line);
      const known = this.#byGroup.get(group);
      if (known === undefined) this.#byGroup.set(group, [declaring]);
      else known.push(declaring);
      lines.push(declaring);
    }
    this.lines = lines;
    // Groups without declarations count, too: the most specific group applies.
    for (const [agent, [start, end]] of declared.agents.entries())
      this.#names.add(declared.bytes, start, end, groups.get(agent) ?? agent);
  }

  /** Returns the numbers of the groups that apply to a crawler. */
  selectGroups(agentTokens: AgentTokens): readonly number[] {
    return this.#names.select(agentTokens).groups;
  }

  /** Returns the lines of a group. @param group - its number, or {@link NO_GROUP}. */
  getLines(group: number): readonly DeclaringLine[] {
    return this.#byGroup.get(group) ?? [];
  }
}

function readLine(declared: DeclaredLines, line: DeclaredLine): DeclaringLine {
  const { field, valueStart, valueEnd } = line;
  const place = createPlace(declared, line);
  if (field === 'license') return { url: place.text, place };
  return createDeclaration(field, parseDeclaration(field, declared.bytes, valueStart, valueEnd), place);
}

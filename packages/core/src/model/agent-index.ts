// An index of the groups of a file by the agents that they name. It is built in one pass over the file.
import { ALLOW, DISALLOW, USER_AGENT } from '../syntax/fields.ts';
import { GroupCursor } from '../syntax/group-cursor.ts';
import type { RuleLines } from '../syntax/rule-lines.ts';
import { AgentNames } from './agent-names.ts';
import { getSource, type RobotsTxt } from './robots-txt.ts';

/** The agents that the groups of a file name. Groups are numbered from 0. */
export class AgentIndex extends AgentNames {
  /** @param onRule - called for each rule with the lines at its line, and the number of its group. It must not read another file. */
  constructor(robots: RobotsTxt, onRule: (lines: RuleLines, group: number) => void = () => {}) {
    super();
    const lines = getSource(robots).readRuleLines();
    const { bytes } = lines;
    const cursor = new GroupCursor();
    while (lines.next()) {
      const { kind, valueStart, valueEnd } = lines;
      if (kind === ALLOW || kind === DISALLOW) {
        cursor.endList();
        if (cursor.group >= 0) onRule(lines, cursor.group);
      }
      if (kind !== USER_AGENT) continue;
      cursor.readAgent();
      this.add(bytes, valueStart, valueEnd, cursor.group);
    }
  }
}

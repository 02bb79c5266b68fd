/**
 * An index of the groups of a file by the agents that they name. It is built in one pass over the file.
 *
 * @module
 */
import { ALLOW, DISALLOW, USER_AGENT } from '../syntax/fields.ts';
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
    let group = -1;
    let isListOpen = false;
    while (lines.next()) {
      const { kind, valueStart, valueEnd } = lines;
      if (kind === ALLOW || kind === DISALLOW) {
        isListOpen = false;
        if (group >= 0) onRule(lines, group);
      }
      if (kind !== USER_AGENT) continue;
      if (!isListOpen) group++;
      isListOpen = true;
      this.add(bytes, valueStart, valueEnd, group);
    }
  }
}

// The findings of the report: by kind for a crawler, and by URL.
import type { Severity } from '@maycrawl/core';
import {
  FINDING_CODES,
  type FindingCode,
  type FindingGroup,
  type FindingList,
  type Target,
} from 'maycrawl/api';

export interface UrlFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly detail: string | null;
  readonly targets: readonly Target[];
}

export class Findings {
  readonly #lists: readonly FindingList[];
  readonly #byUrl: Map<number, ReadonlyMap<number, readonly UrlFinding[]>> = new Map();

  constructor(lists: readonly FindingList[]) {
    this.#lists = lists;
  }

  /** The groups of a kind for a crawler, in the order of their details. */
  getGroups(code: FindingCode, agent: number): readonly FindingGroup[] {
    return this.#lists.find((each) => each.code === code && each.agents.includes(agent))?.groups ?? [];
  }

  /** The findings about a URL for a crawler, the most urgent first. */
  ofUrl(index: number, agent: number): readonly UrlFinding[] {
    let byUrl = this.#byUrl.get(agent);
    if (byUrl === undefined) {
      byUrl = this.#indexByUrl(agent);
      this.#byUrl.set(agent, byUrl);
    }
    return byUrl.get(index) ?? [];
  }

  /** Some other URLs that have the same finding with the same detail, such as the same title. */
  findOthers(code: FindingCode, index: number, agent: number, limit: number): readonly number[] {
    const group = this.getGroups(code, agent).find(({ rows }) => rows.includes(index));
    // One more, because the URL itself is among them.
    return (group?.rows ?? [])
      .slice(0, limit + 1)
      .filter((row) => row !== index)
      .slice(0, limit);
  }

  #indexByUrl(agent: number): Map<number, UrlFinding[]> {
    const byUrl = new Map<number, UrlFinding[]>();
    for (const code of FINDING_CODES)
      for (const { severity, detail, rows, targets } of this.getGroups(code, agent))
        for (const [place, index] of rows.entries()) {
          const finding = { code, severity, detail, targets: targets[place] ?? [] };
          const found = byUrl.get(index);
          if (found === undefined) byUrl.set(index, [finding]);
          else found.push(finding);
        }
    return byUrl;
  }
}

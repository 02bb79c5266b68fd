// The resources of pages that crawlers may not fetch, for an HTML report.

import { RESOURCE_KINDS } from '@maycrawl/core/indexability';
import type { ValueIndex, ValueTable } from '../../../reports/report-data.ts';
import { getKindBit } from '../../run/records/page-lists.ts';
import type { BlockedResources, BlockedUse } from '../../run/tables/blocked-resources.ts';
import type { ReportResource, UrlRow } from './report-data.ts';

/** Different resources in a report, and resources of one page. */
const [MAX_RESOURCES, MAX_LISTED] = [10_000, 20];

/** Collects the resources of pages. */
export class HtmlResources {
  readonly #blocked: BlockedResources;
  readonly #agents: number;
  readonly #isEmpty: boolean;
  readonly #values: ValueTable;
  readonly #resources: Set<ValueIndex<ReportResource>> = new Set();

  /** @param agents - number of crawlers. */
  constructor(blocked: BlockedResources, agents: number, values: ValueTable) {
    this.#blocked = blocked;
    this.#agents = agents;
    this.#isEmpty = blocked.isEmpty;
    this.#values = values;
  }

  /** The list of a page; `null` if no resource of it is blocked. @param key - of the page. */
  findList(key: number): UrlRow['resources'] {
    if (this.#isEmpty) return null;
    const list: ValueIndex<ReportResource>[] = [];
    for (const use of this.#blocked.findOn(key).slice(0, MAX_LISTED))
      if (this.#resources.size < MAX_RESOURCES) {
        const resource = this.#values.add(this.#createResource(use));
        this.#resources.add(resource);
        list.push(resource);
      }
    return list.length === 0 ? null : this.#values.add(list);
  }

  #createResource({ resource: { url, lines }, kinds }: BlockedUse): ReportResource {
    return {
      url,
      kinds: RESOURCE_KINDS.filter((kind) => (kinds & getKindBit(kind)) !== 0),
      lines: Array.from({ length: this.#agents }, (_, agent) => lines.get(agent) ?? 0),
    };
  }
}

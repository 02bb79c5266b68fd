/**
 * The resources of pages that crawlers may not fetch, for an HTML report.
 *
 * @module
 */

import { Interned } from '../../../reports/interned.ts';
import type { BlockedResources, BlockedUse } from '../../run/tables/blocked-resources.ts';
import type { PackedResource } from './report-data.ts';

/** Different resources in a report, and resources of one page. */
const [MAX_RESOURCES, MAX_LISTED] = [10_000, 20];

/** Collects the resources, and gives pages with the same ones the same list. */
export class HtmlResources {
  readonly resources: Interned<PackedResource> = new Interned();
  readonly lists: Interned<readonly number[]> = new Interned();
  readonly #blocked: BlockedResources;
  readonly #agents: number;
  readonly #isEmpty: boolean;

  /** @param agents - number of crawlers. */
  constructor(blocked: BlockedResources, agents: number) {
    this.#blocked = blocked;
    this.#agents = agents;
    this.#isEmpty = blocked.isEmpty;
  }

  /** The number of the list of a page; `null` if no resource of it is blocked. @param key - of the page. */
  findList(key: number): number | null {
    if (this.#isEmpty) return null;
    const list: number[] = [];
    for (const use of this.#blocked.findOn(key).slice(0, MAX_LISTED))
      if (this.resources.values.length < MAX_RESOURCES) list.push(this.resources.number(this.#pack(use)));
    return list.length === 0 ? null : this.lists.number(list);
  }

  #pack({ resource, kinds }: BlockedUse): PackedResource {
    const lines = Array.from({ length: this.#agents }, (_, agent) => resource.lines.get(agent) ?? 0);
    return [resource.url, kinds, ...lines];
  }
}

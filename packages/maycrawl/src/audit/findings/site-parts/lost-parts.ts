// Pages that robots.txt blocks, by the line that decides, and pages with noindex, by where it is and by folder.
import { getOrigin } from '@maycrawl/core/url';
import { describeBlock } from '../../judge/describe-block.ts';
import type { RobotsLines } from '../../judge/robots-lines.ts';
import type { Finding } from '../../run/records/finding.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { LostPage } from '../../run/tables/report-rows.ts';
import { NO_DEPTH } from '../../run/tables/rows.ts';
import type { Segments } from '../../segments/segments.ts';
import { isIntendedPath } from './intended-paths.ts';
import { describeShare, gradePart, type PageCounts } from './page-counts.ts';

/** Where a noindex is, by the number of its origins (run-schema.ts). */
const ORIGINS: readonly string[] = ['', 'a meta element', 'a header', 'a header and a meta element'];
/** From this share of all pages on, the folders of a noindex say nothing. */
const WHOLE_SHARE = 0.9;
const INTENDED_PAGES = 'searches, carts, accounts, parameters and the like';

/** Pages with the same cause. */
interface LostPart {
  readonly code: 'blocked-pages' | 'noindex-pages';
  readonly text: string;
  isIntended: boolean;
  urls: number;
  linked: number;
}

/** What the parts of a site are named by. */
export interface PartNames {
  readonly lines: RobotsLines;
  readonly folders: Segments;
  /** Whether the run is about several hosts, so that the text of a part needs the origin. */
  readonly hasHosts: boolean;
}

/** The pages that a crawler of the run loses, in parts. */
export class LostParts {
  readonly #run: RunStore;
  readonly #agent: number;
  readonly #counts: PageCounts;
  readonly #names: PartNames;
  /** By their text. */
  readonly #parts: Map<string, LostPart> = new Map();
  readonly #isNoindexSite: boolean;

  constructor(run: RunStore, agent: number, counts: PageCounts, names: PartNames) {
    this.#run = run;
    this.#agent = agent;
    this.#counts = counts;
    this.#names = names;
    this.#isNoindexSite = counts.byReason.noindex >= counts.pages * WHOLE_SHARE;
    if (counts.byReason.blocked + counts.byReason.noindex === 0) return;
    for (const page of run.rows.lostPages(agent)) {
      const found = this.#createPart(page);
      const part = this.#parts.get(found.text) ?? found;
      this.#parts.set(found.text, part);
      part.urls++;
      if (page.depth > 0 && page.depth < NO_DEPTH) part.linked++;
      // A line is intended if its pattern is, or all URLs are.
      part.isIntended &&= found.isIntended;
    }
  }

  /** Pages that the site plainly does not want in an index. */
  get intended(): number {
    return [...this.#parts.values()].reduce((sum, part) => sum + (part.isIntended ? part.urls : 0), 0);
  }

  *find(): Generator<Finding<LostPart['code']>> {
    if (this.#parts.size === 0) return;
    const { pages } = this.#counts;
    for (const page of this.#run.rows.lostPages(this.#agent)) {
      const part = this.#parts.get(this.#createPart(page).text);
      if (part === undefined) continue;
      const { code, text, urls } = part;
      const detail = `${text}: ${describeShare(urls, pages)}`;
      const severity = gradePart(part, pages);
      yield { code, agent: this.#agent, key: page.key, detail, targets: [], severity };
    }
  }

  /** Describes why a page is lost. */
  describe(page: LostPage): string {
    return this.#createPart(page).text;
  }

  #createPart(page: LostPage): LostPart {
    return { ...(page.isBlocked ? this.#createBlock(page) : this.#createNoindex(page)), urls: 0, linked: 0 };
  }

  #createBlock({ url, line, decision }: LostPage): Pick<LostPart, 'code' | 'text' | 'isIntended'> {
    const rule = this.#names.lines.line(url, line);
    const text = describeBlock(line, rule, decision);
    const isIntended = isIntendedPath(getPath(url)) || (rule !== null && isIntendedPath(getPattern(rule)));
    return {
      code: 'blocked-pages',
      text: this.#names.hasHosts ? `${getOrigin(url)}: ${text}` : text,
      isIntended,
    };
  }

  #createNoindex({ url, noindex }: LostPage): Pick<LostPart, 'code' | 'text' | 'isIntended'> {
    const isIntended = !this.#isNoindexSite && isIntendedPath(getPath(url));
    const { names, find } = this.#names.folders;
    const folder = this.#isNoindexSite ? 'nearly the whole site' : (names[find(url)] ?? '');
    const place = isIntended ? INTENDED_PAGES : folder;
    return { code: 'noindex-pages', text: `noindex in ${ORIGINS[noindex]}, ${place}`, isIntended };
  }
}

/** The path of a URL with its query. */
function getPath(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** The pattern of a rule without its comment. */
function getPattern(rule: string): string {
  const comment = rule.indexOf('#');
  return rule.slice(rule.indexOf(':') + 1, comment < 0 ? rule.length : comment).trim();
}

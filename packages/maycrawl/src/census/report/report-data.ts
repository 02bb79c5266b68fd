// The data of the report of a census: what the tables are counted into, and what the page shows. The only description of it. The page
// imports this module, so it needs no Node.
//
// Every number is a number of sites with some of them as examples, and says what it is a share of. A site is a host, with its port if
// that is not the default. A crawl counts a site once, however many captures it has of it: {@link CensusReportData.methods} has the rule.
//
// Without data, a part is `null` or its list is empty: the page omits its section. Lists are in the order that the page shows. Lists "by
// agent" have the order of {@link CensusReportData.agents}; lists "by crawl" that of {@link CensusReportData.crawls}.
import type { GroupKind } from '../judge/judged-agents.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Access } from '../read-as/reading.ts';
import type { SiteAccess } from './site-access.ts';
import type { SiteCount } from './site-count.ts';
import type { ReportGroup, ReportSource } from './user-data.ts';

/** Ends of the strata of `--ranks`. Behind the last one is a stratum for higher ranks, and one for sites without a rank. */
export const RANK_BOUNDS = [1_000, 10_000, 100_000, 1_000_000] as const;

/** Top-level domains of the report: those with the most sites. All others are one stratum. */
export const MAX_TLDS = 30;

/** Beginnings of the classes of sizes, in bytes. The last class is of files over the size limit. */
export const SIZE_BOUNDS: readonly number[] = [
  ...[0, 1, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144],
  512_001,
];

/** The sites with an access of an agent. Cells without sites are omitted. */
export interface AccessCell {
  readonly access: SiteAccess;
  /** `null` without a file. */
  readonly group: GroupKind | null;
  readonly sites: SiteCount;
}

/** A cell with the sum of a weight of its sites. */
export interface WeightedCell extends AccessCell {
  readonly weight: number;
}

/** An agent of the census. */
export interface ReportAgent {
  readonly name: string;
  /** From the catalogue of crawlers; `null` for other names. */
  readonly operator: string | null;
  /** Its purposes from the catalogue, the main one first. */
  readonly purposes: readonly string[];
}

/** A census: the tables of one folder. */
export interface ReportCrawl {
  /** The name of its folder, or that of its collection if all inputs are of one. Unique in the report. */
  readonly name: string;
  /** The crawl of Common Crawl in the paths of the inputs, such as `CC-MAIN-2023-50`; `null` if there are none or several. */
  readonly collection: string | null;
  /** The first and the last capture, in milliseconds since 1970; `null` without times. */
  readonly from: number | null;
  readonly to: number | null;
  /** From its JSON file. */
  readonly maycrawl: string;
  readonly profile: string;
  readonly inputsDigest: string;
  /** The number of inputs. */
  readonly inputs: number;
  /** The number of rows of both tables, and their SHA-256. */
  readonly captures: number;
  readonly files: number;
  readonly capturesSha256: string;
  readonly filesSha256: string;
  /** Captures without a valid host, which are of no site. */
  readonly withoutHost: number;
  /** The number of sites with a capture: the sum of the cells of each agent. */
  readonly sites: number;
  /** Captures by outcome, and the sites that are counted with it. */
  readonly outcomes: readonly {
    readonly outcome: Outcome;
    readonly captures: number;
    readonly sites: SiteCount;
  }[];
  /** Sites by HTTP status of the capture that counts, the most frequent first; at most 30. `null`: unknown. */
  readonly statuses: readonly { readonly status: number | null; readonly sites: SiteCount }[];
  /** By agent. */
  readonly access: readonly (readonly AccessCell[])[];
}

/** A part of the sites of the last crawl. */
export interface Stratum {
  /** For ranks `1-1000`, `1000001-` and `unranked`; for top-level domains `de`, `other`, and `none` for IP addresses. */
  readonly name: string;
  readonly sites: number;
  /** By agent. */
  readonly access: readonly (readonly AccessCell[])[];
}

/** Values of a column of a table of the user: those of the most sites. All others are one stratum. */
export const MAX_CATEGORIES = 30;

/** The sites of the last crawl by a column of a table of the user, such as their category. A site can have several values. */
export interface ReportCategory {
  /** The names of the table and of its column. Any text. */
  readonly table: string;
  readonly column: string;
  /** The sites with a value. */
  readonly sites: number;
  /** At most `MAX_CATEGORIES`, those of the most sites first. Their names are any text. */
  readonly values: readonly Stratum[];
  /** The sites with further values, and those without one. Their names are empty. */
  readonly others: Stratum | null;
  readonly missing: Stratum | null;
}

/** A weight of sites, such as the tokens of a data set, or traffic. */
export interface ReportWeight {
  /** The name of its column. */
  readonly name: string;
  /** The sites of the last crawl that have a weight, and the sum of their weights. */
  readonly sites: number;
  readonly total: number;
  /** The sum of the weights of hosts without a capture: what the crawl cannot say. */
  readonly missing: number;
  /** By agent. The examples have their weight as a note. */
  readonly access: readonly (readonly WeightedCell[])[];
}

/** Sites in two crawls. */
export interface Transition {
  /** Indexes of the crawls. */
  readonly from: number;
  readonly to: number;
  /** The number of sites in both. */
  readonly sites: number;
  /** By agent. Sites without a change are cells, too. */
  readonly agents: readonly (readonly {
    readonly before: SiteAccess;
    readonly after: SiteAccess;
    readonly sites: SiteCount;
  }[])[];
}

/** The sites that are in all crawls with an access other than `unreachable` and `unknown`. Their number does not change. */
export interface Panel {
  readonly sites: number;
  /** By crawl, and then by agent. */
  readonly access: readonly (readonly (readonly AccessCell[])[])[];
  /** By agent: the index of the first crawl in which it is blocked, with the sites; `null` if it never is. */
  readonly firstBlocked: readonly (readonly { readonly crawl: number | null; readonly sites: SiteCount }[])[];
}

/** A difference between two crawls that is not one of the sites. The page draws a gap there. */
export interface SeriesBreak {
  /** The index of the crawl after it, from 1. */
  readonly before: number;
  /** A sentence. */
  readonly text: string;
}

/** Agents that are blocked together, in the last crawl. */
export interface AgentMatrix {
  /** The sites with a file, or without one: neither `unreachable` nor `unknown`. */
  readonly sites: number;
  /** By agent: the sites that block it and each of the agents from itself on. The first number is thus that of the agent alone. */
  readonly both: readonly (readonly SiteCount[])[];
}

/** What the files of the last crawl declare about the use of content. */
export interface Declarations {
  /** Sites with a file: the denominator. */
  readonly sites: number;
  /** Sites with any statement. */
  readonly declaring: SiteCount;
  /** Sites by format of statements, such as `content-usage`. */
  readonly formats: readonly { readonly format: string; readonly sites: SiteCount }[];
  /** Sites by purpose, value and agent for which something is declared; `null`: all agents. The note of an example is the statement. */
  readonly uses: readonly {
    readonly agent: number | null;
    readonly purpose: string;
    readonly value: 'allowed' | 'disallowed';
    readonly sites: SiteCount;
  }[];
  /** Sites whose statements contradict each other or the rules, by kind. */
  readonly contradictions: readonly {
    readonly code: string;
    readonly title: string;
    readonly sites: SiteCount;
  }[];
}

/** Maximum number of tokens in {@link CensusReportData.named}. */
export const MAX_NAMED = 50;

/** A product token that files of the last crawl name in user-agent lines. */
export interface NamedToken {
  /** As the catalogue of crawlers writes it, else in lower case; `*` for all crawlers. Any text of letters, `-` and `_`. */
  readonly token: string;
  /** From the catalogue; `null` for other names. */
  readonly operator: string | null;
  /** Whether an agent of the report obeys groups for it. */
  readonly isJudged: boolean;
  /** The index of the first crawl in which a site names it. */
  readonly firstCrawl: number;
  /** The sites whose file names it. The denominator is that of {@link Declarations}. */
  readonly sites: SiteCount;
}

/** Software or a service that generates files, recognised in the last crawl. */
export interface FileGenerator {
  readonly name: string;
  readonly sites: SiteCount;
  /** Distinct files. */
  readonly files: number;
  /** By agent: the sites that block it. */
  readonly blocked: readonly SiteCount[];
}

/** A file of many sites of the last crawl, whose generator may be unknown. */
export interface CommonFile {
  readonly digest: string;
  readonly bytes: number;
  readonly rules: number;
  readonly generator: string | null;
  readonly sites: SiteCount;
}

/** Sizes of the files of the last crawl. */
export interface Sizes {
  /** By class of {@link SIZE_BOUNDS}, also those without files. */
  readonly classes: readonly { readonly from: number; readonly files: number; readonly sites: SiteCount }[];
  /** Quantiles of sites: the smallest size that is not exceeded by the share. 512,001 is over the size limit. */
  readonly quantiles: readonly { readonly share: number; readonly bytes: number }[];
}

/** How another program reads the files of the last crawl. */
export interface ReportReading {
  readonly name: string;
  /** By agent, sites with a file: the proved class with `listed-only` as `some`, and that of the reading; `null` if it fails. */
  readonly agents: readonly (readonly {
    readonly proved: Access;
    readonly read: Access | null;
    readonly sites: SiteCount;
  }[])[];
}

/** The section of the HTML file. */
export interface CensusSections {
  readonly census: {
    readonly data: CensusReportData;
    /** The largest number of examples of a number. */
    readonly maxExamples: number;
  };
}

/** Everything in the report. */
export interface CensusReportData {
  /** From the names of the crawls. Any text. */
  readonly title: string;
  /** The release that created the report. */
  readonly maycrawl: string;
  /** The date of the sources of the catalogue of crawlers, as YYYY-MM-DD; `null` if it has none. */
  readonly catalogue: string | null;
  /** The agents that all crawls have. */
  readonly agents: readonly ReportAgent[];
  /** In the order of time, the last one at the end; at least one. */
  readonly crawls: readonly ReportCrawl[];
  /** How a site is counted, in sentences: which captures, which of several, what a redirect means. */
  readonly methods: readonly string[];
  readonly sources: readonly ReportSource[];
  /** Empty without `--ranks`. */
  readonly ranks: readonly Stratum[];
  readonly tlds: readonly Stratum[];
  /** Empty without `--table`. */
  readonly categories: readonly ReportCategory[];
  /** Empty without `--group`. */
  readonly groups: readonly ReportGroup[];
  /** Empty without `--weights`. */
  readonly weights: readonly ReportWeight[];
  readonly matrix: AgentMatrix;
  /** `null` with one crawl. */
  readonly panel: Panel | null;
  /** From each crawl to the next, and from the first to the last. */
  readonly transitions: readonly Transition[];
  /** See breaks.ts. */
  readonly breaks: readonly SeriesBreak[];
  readonly declarations: Declarations;
  /** At most 50, those of the most sites first. */
  readonly named: readonly NamedToken[];
  readonly generators: readonly FileGenerator[];
  /** At most 20, those with the most sites. */
  readonly commonFiles: readonly CommonFile[];
  readonly sizes: Sizes;
  readonly readings: readonly ReportReading[];
}

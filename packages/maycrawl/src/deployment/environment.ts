// What an environment requires of its robots.txt: production is open for Googlebot, a preview is closed for every crawler.
import type { CrawlerSpec, RobotsTxt } from '@maycrawl/core';
import { ANY_OTHER_CRAWLER, type Budget, FileClassifier, listCrawlers } from '@maycrawl/core/proofs';
import { formatCrawlers } from '../text/crawler-names.ts';
import { toSentence } from '../text/sentence.ts';
import { STAGE_NAMES, type Stage, type StagedFile } from './deployed-file.ts';

export const ENVIRONMENTS = ['production', 'preview', 'staging'] as const;

/** The name of an environment. */
export type Environment = (typeof ENVIRONMENTS)[number];

/** Whether a file is right for an environment. */
export interface EnvironmentReport {
  readonly name: Environment;
  /** The stage of the file. */
  readonly stage: Stage;
  /** Whether the requirement is met; `null` if the proof exceeded its budget. */
  readonly met: boolean | null;
  /** One sentence. It quotes the file: escape it for a terminal. */
  readonly message: string;
  /** The line that decides; 0 if no rule does. */
  readonly line: number;
  /** What to do. Empty if there is nothing to do. */
  readonly advice: string;
  /** What else should be known: one sentence each. */
  readonly notes: readonly string[];
}

/** URLs that a closed file may allow: they are no pages. */
const NO_PAGES: readonly string[] = ['/robots.txt$', '/ads.txt$', '/app-ads.txt$', '/.well-known/'];

/**
 * Checks what an environment requires of a file.
 *
 * @param hasAuthentication - whether the server requires authentication for the home page; `undefined`: unknown.
 */
export function checkEnvironment(
  name: Environment,
  { stage, robots }: StagedFile,
  {
    budget,
    hasAuthentication,
  }: { readonly budget: Budget; readonly hasAuthentication?: boolean | undefined },
): EnvironmentReport {
  const access = readAccess(robots, budget);
  const file = STAGE_NAMES[stage];
  const report = { name, stage, line: 0, advice: '', notes: [] };
  return name === 'production'
    ? { ...report, ...checkProduction(access, file) }
    : { ...report, ...checkPreview(name, access, file, hasAuthentication) };
}

type Outcome = Pick<EnvironmentReport, 'met' | 'message'> & Partial<EnvironmentReport>;

/** What a crawler may fetch. */
interface CrawlerAccess {
  readonly name: string;
  /** `null`: the proof exceeded its budget. */
  readonly isClosed: boolean | null;
  /** Whether the crawler obeys the groups for `*`. */
  readonly obeysAll: boolean;
  readonly example: { readonly path: string; readonly line: number } | null;
}

/** Reads what each crawler may fetch, except those that ignore robots.txt. */
function readAccess(robots: RobotsTxt, budget: Budget): CrawlerAccess[] {
  const crawlers = listCrawlers([robots]);
  const classifier = new FileClassifier(
    robots.profile,
    crawlers.map(({ crawler }) => crawler),
    NO_PAGES,
  );
  const { classes, classOfCrawler, groupKinds } = classifier.classify(robots, { budget });
  return crawlers.flatMap(({ name, crawler }, index): CrawlerAccess[] => {
    const obeys = readObeys(crawler as CrawlerSpec);
    if (obeys === 'nothing') return [];
    const found = classes[classOfCrawler[index] ?? 0];
    if (found === undefined) return [];
    const isClosed =
      found.kind === 'undecided' ? null : found.kind === 'none' || found.kind === 'listed-only';
    const example = isClosed === true ? found.disallowed : found.allowed;
    const obeysAll = obeys === 'rules' || groupKinds[index] !== 'none';
    return [{ name, isClosed, obeysAll, example }];
  });
}

function readObeys(crawler: CrawlerSpec): 'rules' | 'own-rules' | 'nothing' {
  return typeof crawler === 'object' && 'obeys' in crawler ? crawler.obeys : 'rules';
}

function checkProduction(access: readonly CrawlerAccess[], file: string): Outcome {
  const googlebot = access.find(({ name }) => name === 'Googlebot') as CrawlerAccess;
  const all = access.find(({ name }) => name === ANY_OTHER_CRAWLER) as CrawlerAccess;
  if (googlebot.isClosed === null)
    return {
      met: null,
      message: toSentence(`undecided whether ${file} is open for Googlebot: the proof exceeds its budget`),
    };
  if (!googlebot.isClosed)
    return { met: true, message: toSentence(`${file} is open for Googlebot, as production must be`) };
  const line = googlebot.example?.line ?? 0;
  const isForAll = all.isClosed === true;
  return {
    met: false,
    message: toSentence(
      `${file} closes production for ${isForAll ? 'every crawler that it does not name, and for Googlebot' : 'Googlebot'}: line ${line}`,
    ),
    line,
    advice: 'Deploy the file of production, or remove this rule.',
  };
}

function checkPreview(
  name: Environment,
  access: readonly CrawlerAccess[],
  file: string,
  hasAuthentication: boolean | undefined,
): Outcome {
  const open = access.filter(({ isClosed, obeysAll }) => isClosed === false && obeysAll);
  const others = access.filter(({ isClosed, obeysAll }) => isClosed === false && !obeysAll);
  if (hasAuthentication === true)
    return {
      met: true,
      message: toSentence(`the server requires authentication for the home page of ${name}`),
    };
  if (open.length > 0) {
    const names = open.map((each) => each.name);
    const { path, line } = open[0]?.example ?? { path: '/', line: 0 };
    const rule = line > 0 ? `line ${line} allows ${path}` : `no rule disallows ${path}`;
    return {
      met: false,
      message: toSentence(`${file} opens ${name} for ${formatCrawlers(names)}: ${rule}`),
      line,
      advice: 'Require authentication, and serve "User-agent: *" with "Disallow: /".',
    };
  }
  if (access.some(({ isClosed }) => isClosed === null))
    return {
      met: null,
      message: toSentence(`undecided whether ${file} closes ${name}: the proof exceeds its budget`),
    };
  const notes = [
    ...(others.length > 0
      ? [
          `${formatCrawlers(others.map((each) => each.name))} ${others.length === 1 ? 'obeys' : 'obey'} only groups with their names, and may fetch ${name}`,
        ]
      : []),
    `${hasAuthentication === undefined ? 'if only robots.txt closes' : 'only robots.txt closes'} ${name}, its URLs can still be indexed from links, because crawlers cannot read a noindex there: require authentication`,
  ];
  return {
    met: true,
    message: toSentence(`${file} closes ${name} for every crawler that obeys the groups for *`),
    notes: notes.map(toSentence),
  };
}

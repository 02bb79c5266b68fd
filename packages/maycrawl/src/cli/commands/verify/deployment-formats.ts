// Reports about a deployment, for people and for programs.
import type { StageComparison, StageDifference } from '../../../deployment/compare-stages.ts';
import { formatBlockLines, STAGE_NAMES, type Stage } from '../../../deployment/deployed-file.ts';
import type { RuleLine } from '../../../deployment/describe-change.ts';
import { BoundedLists, OUTPUT_LISTS } from '../../../reports/bounded-list.ts';
import { formatJunit } from '../../../reports/junit.ts';
import { formatCount } from '../../../text/counts.ts';
import { getCrawlerName } from '../../../text/crawler-names.ts';
import { formatFirst } from '../../../text/first-names.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { toSentence } from '../../../text/sentence.ts';
import { formatAnnotation } from '../../output/github.ts';
import { getColors } from '../../output/terminal.ts';
import { type DeploymentReport, isAccepted, type ReadFile } from './deployment-report.ts';
import type { CheckFormatName } from './verify-formats.ts';

export const DEPLOYMENT_FORMATS: Readonly<Record<CheckFormatName, (report: DeploymentReport) => string>> = {
  text: formatText,
  json: formatJson,
  junit: formatJunitReport,
  github: formatGithub,
};

/** Differences of a pair that are printed as text; `--format json` has more. */
const MAX_SHOWN = 20;
/** Names of crawlers that are printed as text. */
const MAX_NAMES = 10;

/** What was checked, with one sentence for each problem. */
interface Check {
  readonly title: string;
  readonly stage: Stage;
  /** `null`: undecided. */
  readonly passed: boolean | null;
  readonly problems: readonly { readonly message: string; readonly line: number }[];
}

function listChecks(report: DeploymentReport): Check[] {
  const { environment } = report;
  return [
    ...report.pairs.map((pair): Check => {
      const differences = pair.differences
        .filter(({ managedBy }) => managedBy === null || !report.acceptManaged)
        .map(({ message, after }) => ({ message, line: after?.line ?? 0 }));
      const records = pair.records.map((message) => ({ message, line: 0 }));
      return {
        title: getTitle(pair),
        stage: pair.after,
        passed: isAccepted(pair, report),
        problems: [...differences, ...records],
      };
    }),
    ...(environment === null
      ? []
      : [
          {
            title: `environment ${environment.name}`,
            stage: environment.stage,
            passed: environment.met,
            problems: [
              { message: `${environment.message} ${environment.advice}`.trim(), line: environment.line },
            ],
          },
        ]),
  ];
}

const getTitle = ({ before, after }: Pick<StageComparison, 'before' | 'after'>): string =>
  `${before} and ${after}`;

function formatText(report: DeploymentReport): string {
  const { bold, green, red, yellow, dim } = getColors(process.stdout);
  const { files, pairs, environment } = report;
  const color = (passed: boolean | null, text: string): string =>
    (passed === null ? yellow : passed ? green : red)(text);
  const lines = files.flatMap(({ stage, name, notes }) => [
    `${stage.padEnd('deployed'.length)}  ${visible(name)}`,
    ...notes.map((note) => `          ${visible(note)}`),
  ]);
  for (const pair of pairs) {
    lines.push(
      '',
      `${bold(getTitle(pair))}: ${color(isAccepted(pair, report), describeResult(pair, report))}`,
    );
    const repeated = findRepeated(pair, pairs);
    if (repeated !== undefined) lines.push(`  The same differences as between ${getTitle(repeated)}.`);
    else lines.push(...formatPair(pair, dim));
  }
  if (environment !== null) {
    const result = environment.met === null ? 'undecided' : environment.met ? 'met' : 'not met';
    lines.push('', `${bold(`environment ${environment.name}`)}: ${color(environment.met, result)}`);
    for (const text of [environment.message, environment.advice, ...environment.notes])
      if (text !== '') lines.push(`  ${visible(text)}`);
  }
  return `${lines.join('\n')}\n`;
}

function describeResult(pair: StageComparison, report: DeploymentReport): string {
  if (pair.hasSameBytes) return 'the same file';
  if (pair.equivalent === true) return 'the same for every crawler and URL; only the text differs';
  const accepted = isAccepted(pair, report);
  if (accepted === true) return 'the same, except for the managed block';
  return accepted === null ? 'undecided; the proof exceeds its budget' : 'different';
}

/**
 * With three files, the first and the last differ as two others do if the third one is equal to either. Finds these two.
 */
function findRepeated(pair: StageComparison, pairs: readonly StageComparison[]): StageComparison | undefined {
  if (pairs.length < 3 || pair.before !== 'source' || pair.after !== 'deployed') return undefined;
  const others = pairs.filter((each) => each !== pair);
  return others.some(({ equivalent }) => equivalent === true)
    ? others.find(({ equivalent }) => equivalent === false)
    : undefined;
}

function formatPair(pair: StageComparison, dim: (text: string) => string): string[] {
  const { before, after, managedBlocks, differences, records, declarations } = pair;
  const width = 'for example'.length;
  const row = (name: string, value: string): string => `    ${dim(name.padEnd(width))}  ${value}`;
  const shown = differences.slice(0, MAX_SHOWN);
  const more = differences.length - shown.length;
  return [
    ...managedBlocks.map((block) => {
      const place = formatBlockLines({ vendor: block.vendor, first: block.firstLine, last: block.lastLine });
      return `  ${visible(toSentence(`${block.vendor} manages ${place} of ${STAGE_NAMES[block.stage]}`))}`;
    }),
    ...shown.flatMap((difference) => [
      `  ${visible(difference.message)}`,
      row('for example', visible(difference.example)),
      row('crawlers', visible(formatNames(difference))),
      row(before, formatRule(difference.before)),
      row(after, formatRule(difference.after)),
    ]),
    ...(more > 0 ? [`  And ${formatCount(more, 'more difference')}.`] : []),
    ...records.map((text) => `  ${visible(text)}`),
    ...declarations.map((text) => `  ${visible(toSentence(text))}`),
  ];
}

function formatNames({ agents, agentCount }: StageDifference): string {
  return formatFirst(agents.map(getCrawlerName), MAX_NAMES, agentCount);
}

function formatRule(rule: RuleLine | null): string {
  return rule === null ? 'no rule' : visible(`line ${rule.line}: ${rule.text}`);
}

function formatJson(report: DeploymentReport): string {
  const { files, pairs, environment } = report;
  return `${toJson(
    {
      files: files.map(({ stage, name, redirects, notes }) => ({ stage, robots: name, redirects, notes })),
      comparisons: pairs.map((pair) => {
        const lists = new BoundedLists(OUTPUT_LISTS);
        const differences = lists.take(pair.differences);
        return {
          ...pair,
          accepted: isAccepted(pair, report),
          differences,
          ...(lists.isTruncated && { totals: { differences: pair.differences.length } }),
        };
      }),
      environment,
    },
    2,
  )}\n`;
}

function formatJunitReport(report: DeploymentReport): string {
  const name = report.files.map((file) => visible(file.name)).join(', ');
  const cases = listChecks(report).map(({ title, passed, problems }) => ({
    name: title,
    className: 'robots.txt',
    problem:
      passed === true
        ? undefined
        : ({
            kind: passed === null ? 'error' : 'failure',
            message: visible(problems[0]?.message ?? 'undecided; the proof exceeds its budget'),
            text: problems
              .slice(0, MAX_SHOWN)
              .map(({ message }) => visible(message))
              .join('\n'),
          } as const),
  }));
  return formatJunit(name, cases);
}

function formatGithub(report: DeploymentReport): string {
  return listChecks(report)
    .filter(({ passed }) => passed !== true)
    .flatMap(({ title, stage, passed, problems }) => {
      const file = report.files.find((each) => each.stage === stage) as ReadFile;
      if (passed === null) return [formatAnnotation('error', getPlace(file, 0), `${title}: undecided`)];
      return problems
        .slice(0, MAX_SHOWN)
        .map(({ message, line }) => formatAnnotation('error', getPlace(file, line), message));
    })
    .join('');
}

/** An annotation of a file that a server sends has no place in the repository. */
function getPlace({ stage, name }: ReadFile, line: number): Record<string, string | number> {
  if (stage === 'deployed') return { title: name };
  return { file: name, ...(line > 0 && { line }) };
}

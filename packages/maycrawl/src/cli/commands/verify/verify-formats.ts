// Results of expectations, for people and for programs.
import type { Checked } from '../../../expectations/expectations.ts';
import { formatJunit } from '../../../reports/junit.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { formatAnnotation } from '../../output/github.ts';
import { getColors } from '../../output/terminal.ts';

/** Formats the results of the expectations in the file `tests` about the robots.txt `name`. */
type CheckFormat = (name: string, tests: string, checked: readonly Checked[]) => string;

/** Names of formats on the command line. */
export type CheckFormatName = 'text' | 'json' | 'junit' | 'github';

export const CHECK_FORMATS: Readonly<Record<CheckFormatName, CheckFormat>> = {
  text: formatText,
  json: formatJson,
  junit: formatChecks,
  github: formatGithub,
};

const getTitle = ({ agent, expected, target }: Checked): string => `${agent}: ${expected} ${target}`;

/** The results, with their words and colours. */
const RESULTS = { met: 'green', 'not met': 'red', undecided: 'yellow', invalid: 'yellow' } as const;

function getResult({ passed, isInvalid }: Checked): keyof typeof RESULTS {
  if (passed === null) return isInvalid ? 'invalid' : 'undecided';
  return passed ? 'met' : 'not met';
}

function formatText(_name: string, _tests: string, checked: readonly Checked[]): string {
  const colors = getColors(process.stdout);
  const lines = checked.map((each) => {
    const result = getResult(each);
    const mark = colors[RESULTS[result]](result.padEnd('undecided'.length));
    return `${mark}  ${visible(getTitle(each))}${each.message === '' ? '' : ` (${visible(each.message)})`}`;
  });
  const counts = (Object.keys(RESULTS) as (keyof typeof RESULTS)[]).flatMap((result) => {
    const count = checked.filter((each) => getResult(each) === result).length;
    return count > 0 || result === 'met' || result === 'not met' ? [`${count} ${result}`] : [];
  });
  return `${[...lines, counts.join(', ')].join('\n')}\n`;
}

function formatJson(name: string, tests: string, checked: readonly Checked[]): string {
  return `${toJson({ robots: name, tests, checks: checked }, 2)}\n`;
}

function formatChecks(name: string, _tests: string, checked: readonly Checked[]): string {
  return formatJunit(
    visible(name),
    checked.map((each) => ({
      name: visible(getTitle(each)),
      className: visible(each.agent),
      problem:
        each.passed === true
          ? undefined
          : { kind: each.passed === null ? 'error' : 'failure', message: visible(each.message) },
    })),
  );
}

function formatGithub(_name: string, tests: string, checked: readonly Checked[]): string {
  return checked
    .filter(({ passed }) => passed !== true)
    .map((each) => formatAnnotation('error', { file: tests }, `${getTitle(each)} (${each.message})`))
    .join('');
}

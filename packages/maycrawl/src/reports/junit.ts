// JUnit reports.
import { formatXml, type XmlElement } from './xml.ts';

interface JunitProblem {
  /** `failure`: the expectation is not met; `error`: it could not be checked. */
  readonly kind: 'failure' | 'error';
  readonly message: string;
  readonly text?: string;
}

export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly problem?: JunitProblem | undefined;
}

export function formatJunit(name: string, cases: readonly JunitCase[]): string {
  const count = (kind: JunitProblem['kind']): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length;
  const attributes = { name, tests: cases.length, failures: count('failure'), errors: count('error') };
  const suite = { name: 'testsuite', attributes, content: cases.map(toElement) };
  return formatXml({ name: 'testsuites', content: [suite] });
}

function toElement({ name, className, problem }: JunitCase): XmlElement {
  const attributes = { name, classname: className };
  if (problem === undefined) return { name: 'testcase', attributes };
  const { kind, message, text = '' } = problem;
  return { name: 'testcase', attributes, content: [{ name: kind, attributes: { message }, content: text }] };
}

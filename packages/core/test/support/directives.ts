import { type Directive, parseDirectiveList } from '../../src/indexability/directive.ts';

/** Parses the content of a robots meta element. */
export function parseDirectives(content: string): Directive[] {
  return parseDirectiveList(content, false).directives.map(({ directive }) => directive);
}

/** Parses the value of an X-Robots-Tag header. */
export function parseRobotsHeader(value: string): ReturnType<typeof parseDirectiveList>['directives'] {
  return parseDirectiveList(value, true).directives;
}

// What a page says about the use of its content, as the check of a page lists it.

import { truncate } from '@maycrawl/core/internal';
import { findPageProblems, type PageProblem, type PageSources } from '@maycrawl/core/preferences';
import type { PageJson } from '../../api/page-api.ts';

type UseStatement = PageJson<'UseStatement'>;

/**
 * Lists the statements of a page in the order of headers, meta elements, licences and RSL documents.
 *
 * @param maxText - characters of each text.
 * @param maxItems - statements of each kind that are read. A page can have a hundred thousand.
 */
export function listUseStatements(
  sources: PageSources | null,
  { maxText, maxItems }: { readonly maxText: number; readonly maxItems: number },
): UseStatement[] {
  if (sources === null) return [];
  const { headers = [], licenses = [], inlineRsl = [] } = sources;
  const metas = sources.metas?.slice(0, maxItems) ?? [];
  const problems = findPageProblems({ headers: headers.slice(0, maxItems), metas });
  const create = (
    from: UseStatement['from'],
    name: string,
    text: string,
    problem: PageProblem | undefined,
  ): UseStatement => ({
    ...{ from, name: truncate(name, maxText), text: truncate(text, maxText) },
    problem: problem === undefined ? null : truncate(problem.reason, maxText),
  });
  // The lines of a header are one value; each meta element is one of its own.
  const findProblem = (source: 'header' | 'meta', name: string, text?: string): PageProblem | undefined =>
    problems.find(
      (each) =>
        each.source === source &&
        each.name.toLowerCase() === name.toLowerCase() &&
        (text === undefined || each.text === text),
    );
  return [
    ...headers
      .slice(0, maxItems)
      .map(([name, text]) => create('header', name, text, findProblem('header', name))),
    ...metas.map(({ name, content }) => create('meta', name, content, findProblem('meta', name, content))),
    ...licenses.slice(0, maxItems).map((url) => create('link', 'license', url, undefined)),
    ...inlineRsl
      .slice(0, maxItems)
      .map((text) =>
        create('script', 'application/rsl+xml', text.trim(), findPageProblems({ inlineRsl: [text] })[0]),
      ),
  ];
}

// What is documented about a crawler, as the command `maycrawl crawlers` prints it.
import { type CrawlerRecord, findOperator } from '@maycrawl/core/crawlers';
import { describeBehavior, describeOperator } from '../../text/operators.ts';
import { formatList, type TextFormat } from './text-format.ts';

/** Describes a crawler of the catalogue in paragraphs. */
export function describeCrawler(record: CrawlerRecord, format: TextFormat): string[] {
  const { token, name = token, operator, kind, purposes, description } = record;
  const documented = findOperator(token);
  const facts = [
    `kind: ${format.text(kind)}`,
    ...(purposes.length === 0 ? [] : [`purposes: ${format.text(purposes.join(', '))}`]),
    `robots.txt: ${format.text(describeBehavior(record))}`,
    ...(documented === undefined ? [] : describeOperator(documented)).map(format.text),
    ...(documented?.sources ?? record.sources).map(
      ({ url, kind: source, date }) => `source: ${format.link(url)} (${format.text(`${source}, ${date}`)})`,
    ),
  ];
  return [
    `${format.strong(name)} (${format.text(operator)}): ${format.text(description)}`,
    formatList(facts),
  ];
}

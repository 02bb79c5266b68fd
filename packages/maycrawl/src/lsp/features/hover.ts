// What an editor shows about the record under the pointer: the meaning of its field, the crawlers that its group applies to, what it decides,
// and the findings about it.
import type { Group, RobotsRecord, UserAgentRecord } from '@maycrawl/core';
import type { Finding } from '@maycrawl/core/lint';
import type { Hover, Position } from 'vscode-languageserver';
import { formatCount } from '../../text/counts.ts';
import { formatFirst } from '../../text/first-names.ts';
import { RULE_HELP } from '../../text/rule-help.ts';
import { findGroup, findRecordOfToken, listGroupCrawlers } from '../catalogue-crawlers.ts';
import type { RobotsDocument } from '../robots-document.ts';
import { describeCrawler } from '../texts/crawler-text.ts';
import { describeDeclaration } from '../texts/declaration-text.ts';
import { findField, listDelayOperators } from '../texts/fields.ts';
import { describeRule } from '../texts/rule-text.ts';
import { type TextFormat, toMarkup } from '../texts/text-format.ts';

/** Names of crawlers that are listed. */
const MAX_NAMES = 12;

/**
 * Returns what to show at a position.
 *
 * @param findings - those of the file as far as they are known.
 * @returns `null` if the line has neither a record nor a finding.
 */
export function getHover(
  document: RobotsDocument,
  position: Position,
  findings: readonly Finding[],
  format: TextFormat,
): Hover | null {
  const line = position.line + 1;
  const record = document.findRecord(line);
  const own = findings.filter((finding) => finding.line === line);
  const paragraphs = [
    ...(record === undefined ? [] : describeRecord(document, record, position, format)),
    ...describeFindings(own, format),
  ];
  if (paragraphs.length === 0) return null;
  return { contents: toMarkup(format, paragraphs), range: getRange(document, record, position) };
}

function getRange(document: RobotsDocument, record: RobotsRecord | undefined, position: Position) {
  const line = position.line + 1;
  if (record === undefined) return document.toLineRange(line);
  const { field, text, column, valueColumn } = record;
  return document.isInField(record, position)
    ? document.toRange({ line, column, length: field.length })
    : document.toRange({ line, column: valueColumn, length: text.length });
}

function describeRecord(
  document: RobotsDocument,
  record: RobotsRecord,
  position: Position,
  format: TextFormat,
): string[] {
  const { kind, field } = record;
  const described = findField(kind, field);
  if (document.isInField(record, position) && described !== undefined) {
    const { name, description } = described;
    const operators = name === 'Crawl-delay' ? listDelayOperators() : [];
    const obeying =
      operators.length === 0 ? [] : [`Documented to obey it: ${operators.map(format.text).join(', ')}.`];
    return [`${format.strong(name)}: ${format.text(description)}`, ...obeying];
  }
  const group = findGroup(document.groups, record.line);
  if (kind === 'user-agent')
    return [
      ...describeAgent(record as UserAgentRecord, group, format),
      ...describeGroup(document, group, format),
    ];
  if (kind === 'allow' || kind === 'disallow')
    return [
      ...describeRule(document.robots, record, group, format),
      ...describeGroup(document, group, format),
    ];
  return describeDeclaration(document.robots, record, format);
}

/** Describes the crawler that a user-agent line names. */
function describeAgent(record: RobotsRecord, group: Group | undefined, format: TextFormat): string[] {
  const agent = group?.userAgents.find(({ line }) => line === record.line);
  if (agent === undefined || agent.productToken === '*') return [];
  const found = findRecordOfToken(agent.extendedToken, agent.productToken);
  if (found !== undefined) return describeCrawler(found, format);
  return agent.extendedToken === ''
    ? []
    : [`The catalogue has no crawler ${format.code(agent.extendedToken)}.`];
}

/** Describes which crawlers obey a group. */
function describeGroup({ groups }: RobotsDocument, group: Group | undefined, format: TextFormat): string[] {
  if (group === undefined) return ['The line is in no group, so it applies to no crawler.'];
  const agents = group.userAgents.map(({ text }) => format.code(text));
  const head = `Group of ${formatFirst(agents, MAX_NAMES)}`;
  const { obeying, exempt } = listGroupCrawlers(groups, group);
  const obeyed =
    obeying.length === 0
      ? 'no crawler of the catalogue obeys it'
      : `obeyed by ${formatCount(obeying.length, 'crawler')} of the catalogue: ${formatNames(obeying, format)}`;
  const others =
    exempt.length === 0
      ? []
      : [`Not obeyed by ${formatNames(exempt, format)}: they ignore groups for ${format.code('*')}.`];
  return [`${head}, ${obeyed}.`, ...others];
}

function formatNames(names: readonly string[], format: TextFormat): string {
  return formatFirst(names.map(format.text), MAX_NAMES);
}

/** The documentation of findings: each code once. */
function describeFindings(findings: readonly Finding[], format: TextFormat): string[] {
  return [...new Set(findings.map(({ code }) => code))].flatMap((code) => {
    const { summary, text } = RULE_HELP[code];
    return [`${format.strong(code)}: ${format.documentation(summary)}.`, format.documentation(text)];
  });
}

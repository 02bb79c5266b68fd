// What each finding means, from its page in docs/rules. `npm run rule-help` writes the file.
import type { FindingCode } from '@maycrawl/core/lint';
import ruleHelp from './rule-help.json' with { type: 'json' };

/** Descriptions of a finding that quote no file. */
export interface RuleHelp {
  /** A phrase without full stop. */
  readonly summary: string;
  /** Paragraphs in Markdown. */
  readonly text: string;
}

export const RULE_HELP: Readonly<Record<FindingCode, RuleHelp>> = ruleHelp;

/** Returns the address of the page of a finding. @param rulesUrl - the folder with the pages of the findings on the web. */
export function getRulePage(rulesUrl: string, code: FindingCode): string {
  return `${rulesUrl}${rulesUrl.endsWith('/') ? '' : '/'}${code}.md`;
}

/** Removes the marks of code from Markdown; the pages have no others. */
export function toPlainText(markdown: string): string {
  return markdown.replaceAll('`', '');
}

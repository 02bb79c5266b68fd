// All declarations of a robots.txt, for every crawler: what the file says, before it is read for a crawler and a URL.
import { checkOptions } from '../bytes/check-options.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Declaration } from './declaration.ts';
import { POLICY_TOKENS } from './policy-token-data.ts';
import { readTokenClaims, toTokenCrawler } from './policy-tokens.ts';
import { getDeclaredLines } from './robots-txt/declared-lines.ts';
import { readDeclaration } from './robots-txt/robots-declarations.ts';
import { limitText, type PreferenceFormat, type PreferenceStatement } from './statement.ts';

/** A Content-Usage, Content-Signal or License line, or the groups for a policy token. */
export interface ListedDeclaration extends Pick<PreferenceStatement, 'text' | 'line' | 'agents' | 'path'> {
  /** `rsl`: a License line. */
  readonly format: PreferenceFormat;
  /** What it declares about the purposes of its labels: nothing if it is invalid, has no known label, or is a License line. */
  readonly statements: readonly PreferenceStatement[];
}

/** The declarations of a file. */
export interface DeclarationList {
  /** Those of lines in the order of the file, then those of policy tokens. */
  readonly declarations: readonly ListedDeclaration[];
  /** The number of further lines with declarations. */
  readonly omitted: number;
}

/** Options of {@link listDeclarations}. */
export interface ListOptions {
  /** The number of lines that are listed at most. @defaultValue 1000 */
  readonly limit?: number;
  /** The policy tokens that are read. @defaultValue `POLICY_TOKENS` */
  readonly policyTokens?: readonly PolicyToken[];
}

const MAX_LINES = 1000;

/**
 * Lists the declarations of a robots.txt. A policy token is listed if a group names it, with what its rules state about the home page.
 *
 * @example
 * const robots = parse('User-agent: *\nContent-Signal: ai-train=no');
 * listDeclarations(robots).declarations[0]?.statements[0]?.purpose; // 'ai-train'
 */
export function listDeclarations(robots: RobotsTxt, options: ListOptions = {}): DeclarationList {
  checkOptions<ListOptions>('listDeclarations', options, { limit: 'number', policyTokens: 'array' });
  const { limit = MAX_LINES, policyTokens = POLICY_TOKENS } = options;
  const declared = getDeclaredLines(robots);
  const listed = declared.lines.slice(0, limit).map((line) => toListed(readDeclaration(declared, line)));
  const tokens = policyTokens.flatMap((token): ListedDeclaration[] => {
    const ruleset = robots.ruleset(toTokenCrawler(token));
    if (ruleset.groupKind !== 'own') return [];
    const statements = readTokenClaims(ruleset, token, '/').map(({ statement }) => statement);
    const [first] = statements;
    const { text = '', line = null, path = null } = first ?? {};
    return [{ format: 'policy-token', text, line, agents: [token.token], path, statements }];
  });
  return { declarations: [...listed, ...tokens], omitted: declared.lines.length - listed.length };
}

function toListed({ format, path, place, claims }: Declaration): ListedDeclaration {
  return {
    ...{ text: limitText(place.text), line: place.line, agents: place.agents, format },
    path: path === null ? null : limitText(path),
    // The other purposes of a label are those of its subcategories.
    statements: claims.flatMap(({ statement, distance }) => (distance === 0 ? [statement] : [])),
  };
}

// The policy tokens that the command line adds.
import { isAgentToken } from '@maycrawl/core';
import { createPolicyToken, POLICY_TOKENS, type PolicyToken } from '@maycrawl/core/preferences';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';

export interface PolicyTokenOptions {
  /** A file of crawlers with further tokens. */
  readonly crawlers?: string;
  readonly policyToken?: readonly string[];
}

/**
 * Returns the known policy tokens, those of a file, and those that options name.
 *
 * @throws {CommandError} if a name is not a product token, or the file is not valid.
 */
export async function readPolicyTokens({
  crawlers,
  policyToken = [],
}: PolicyTokenOptions): Promise<readonly PolicyToken[]> {
  const further = policyToken.map(requirePolicyToken);
  if (crawlers === undefined) return [...POLICY_TOKENS, ...further];
  // The catalogue is large, and most runs do not need it.
  const file = await import('./crawlers-file.ts');
  return [...(await file.readPolicyTokens(crawlers)), ...further];
}

function requirePolicyToken(token: string): PolicyToken {
  if (isAgentToken(token)) return createPolicyToken(token);
  throw new CommandError(
    `--policy-token "${visible(token)}": give a product token (letters, digits, "_", "-" and ".")`,
  );
}

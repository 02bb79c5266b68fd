// `maycrawl identity check`: what is wrong with a deployed identity.
import { DIRECTORY_PATH } from '@maycrawl/client/internal';
import { parseUrl } from '@maycrawl/core/url';
import { DocumentError } from '../../../documents/document-requests.ts';
import { checkIdentity, type IdentityCheck } from '../../../identity/check-identity.ts';
import type { IdentityFinding } from '../../../identity/findings.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { parseUrlOrHost } from '../../input/origin.ts';
import { CommandError } from '../../output/errors.ts';
import { formatSeverity } from '../../output/findings.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { printTable } from '../../output/table.ts';
import { formatKeyTimes } from './key-times.ts';
import type { CheckIdentityCommandOptions } from './options.ts';

/**
 * Checks an identity.
 *
 * @returns the exit code: 0, or 1 if a finding is a warning or an error.
 * @throws {CommandError} if an argument is no URL, or there is no response.
 */
export async function checkIdentityCommand(
  [name = '']: readonly string[],
  { card, userAgent, timeout, allowPrivate, json }: CheckIdentityCommandOptions,
): Promise<number> {
  const { protocol, origin: agent, pathname } = parseUrlOrHost(name);
  if (!/^https?:$/.test(protocol)) throw new CommandError(`not an https origin: ${visible(name)}`);
  if (pathname !== '/' && pathname !== DIRECTORY_PATH)
    throw new CommandError(
      `${visible(name)}: give an origin such as ${agent}; keys at another path are not those of a directory`,
    );
  if (card !== undefined && !/^https?:$/.test(parseUrl(card)?.protocol ?? ''))
    throw new CommandError(`--card must be a URL, not ${visible(card)}`);
  const check = await runCheck({
    ...{ agent, card, userAgent, timeout, now: Date.now() },
    allowPrivateAddresses: allowPrivate === true ? true : undefined,
    // What the user names may be a server that is being set up.
    openOrigins: [agent, ...(card === undefined ? [] : [card])],
  });
  if (json) printJson(check, 2);
  else printCheck(check);
  return check.findings.some(({ severity }) => severity !== 'info') ? 1 : 0;
}

async function runCheck(options: Parameters<typeof checkIdentity>[0]): Promise<IdentityCheck> {
  try {
    return await checkIdentity(options);
  } catch (cause) {
    if (cause instanceof DocumentError)
      throw new CommandError(`cannot fetch the directory of ${options.agent}: ${visible(cause.message)}`, {
        cause,
      });
    throw cause;
  }
}

function printCheck({ directory, keys, card, findings }: IdentityCheck): void {
  printLine(`directory  ${visible(directory)}`);
  if (card !== null) printLine(`card       ${visible(card)}`);
  printLine('');
  if (keys.length > 0) {
    const rows = keys.map((key) => [
      key.id,
      key.algorithm ?? '-',
      key.algorithm === null ? '-' : formatKeyTimes(key),
    ]);
    printTable(['key', 'algorithm', 'valid'], rows);
    printLine('');
  }
  for (const finding of findings) printLine(formatFinding(finding));
  const problems = findings.filter(({ severity }) => severity !== 'info').length;
  printLine(problems === 0 ? 'no problem was found' : `${formatCount(problems, 'problem')} found`);
}

function formatFinding({ code, severity, subject, text, detail }: IdentityFinding): string {
  const found = detail === null ? '' : ` (${visible(detail)})`;
  return `${formatSeverity(severity, 7)}  ${visible(subject)}: ${text}${found}  ${code}`;
}

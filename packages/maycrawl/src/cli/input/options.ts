// Options of several commands: profile and crawlers.
import {
  findProfile,
  isInvalidAgentError,
  PROFILES,
  type Profile,
  type ResolvedAgent,
  resolveAgent,
} from '@maycrawl/core';
import type { NamedCrawler } from '../../batch/judge.ts';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { printMessage } from '../output/terminal.ts';

export type AgentResolver = (name: string) => ResolvedAgent;

/** @throws {CommandError} if there is no profile of that name. */
export function requireProfile(name: string): Profile {
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  const names = PROFILES.map((each) => each.name).join(', ');
  throw new CommandError(`unknown profile "${visible(name)}"; profiles: ${names}`);
}

/**
 * Finds a crawler.
 *
 * @param resolve - resolves the name. @defaultValue `resolveAgent`, which knows the catalogue only
 * @throws {CommandError} if no user-agent line can name it.
 */
export function requireCrawler(name: string, resolve?: AgentResolver): NamedCrawler {
  try {
    return resolveCrawler(name, resolve);
  } catch (cause) {
    if (!isInvalidAgentError(cause)) throw cause;
    throw new CommandError(`--agent: ${visible(cause.message)}`, { cause });
  }
}

/**
 * Finds a crawler, and reports if the name is a User-Agent header.
 *
 * @throws {InvalidAgentError} if no user-agent line can name it.
 */
export function resolveCrawler(name: string, resolve: AgentResolver = resolveAgent): NamedCrawler {
  const agent = resolve(name);
  if (agent.source === 'header')
    printMessage(`"${visible(name)}" is the User-Agent header of ${visible(agent.name)}`);
  return agent;
}

/**
 * What several commands take: profile and crawlers.
 *
 * @module
 */
import { findProfile, PROFILES, type Profile, resolveAgent } from '@maycrawl/core';
import type { NamedCrawler } from '../../batch/judge.ts';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { printMessage } from '../output/terminal.ts';

/** @throws {CommandError} if there is no profile of that name. */
export function requireProfile(name: string): Profile {
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  const names = PROFILES.map((each) => each.name).join(', ');
  throw new CommandError(`there is no profile "${visible(name)}"; choose one of ${names}`);
}

/**
 * Finds the crawler that a user names.
 *
 * @throws {CommandError} if no user-agent line could ever name it.
 */
export function requireCrawler(name: string): NamedCrawler {
  try {
    return resolveCrawler(name);
  } catch (cause) {
    throw new CommandError(`--agent: ${visible((cause as RangeError).message)}`, { cause });
  }
}

/**
 * Finds the crawler of a name, and reports where the name is a header.
 *
 * @throws {RangeError} if no user-agent line could ever name it.
 */
export function resolveCrawler(name: string): NamedCrawler {
  const agent = resolveAgent(name);
  if (agent.source === 'header')
    printMessage(`"${visible(name)}" is a User-Agent header of ${visible(agent.name)}`);
  return agent;
}

/**
 * What several commands take: profile and crawlers.
 *
 * @module
 */
import {
  type CrawlerLike,
  findCrawler,
  findProfile,
  isProductToken,
  PROFILES,
  type Profile,
  recognizeCrawler,
} from '@maycrawl/core';
import { CommandError } from './errors.ts';
import { tell, visible } from './terminal.ts';

/** A crawler as the user named it. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerLike;
}

/** @throws {CommandError} if there is no profile of that name. */
export function requireProfile(name: string): Profile {
  const profile = findProfile(name);
  if (profile !== undefined) return profile;
  const names = PROFILES.map((each) => each.name).join(', ');
  throw new CommandError(`there is no profile "${visible(name)}"; choose one of ${names}`);
}

/**
 * The crawler that a user means: one of the catalogue with its fallbacks, by name or by its whole User-Agent header, or
 * else any product token.
 *
 * @throws {CommandError} if the name is empty.
 */
export function requireCrawler(name: string): NamedCrawler {
  if (name.trim() === '') throw new CommandError('the name of a crawler is empty; give one after --agent');
  const known = findCrawler(name);
  if (known !== undefined) return { name: known.name, crawler: known };
  if (isProductToken(name)) return { name, crawler: name };
  const recognized = recognizeCrawler(name);
  if (recognized !== undefined) {
    tell(`"${visible(name)}" is no product token; it is taken for ${recognized.name}`);
    return { name: recognized.name, crawler: recognized };
  }
  tell(
    `warning: "${visible(name)}" is no product token (letters, "_" and "-" only): ` +
      'no rule can ever name it, so it is judged by the rules for *',
  );
  return { name, crawler: name };
}

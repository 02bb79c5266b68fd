/**
 * What several commands take: profile and crawlers.
 *
 * @module
 */
import { type CrawlerLike, findProfile, PROFILES, type Profile } from '@maycrawl/core';
import { crawlerNamed } from '../client/crawler-name.ts';
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
  const named = crawlerNamed(name);
  if (named.by === 'recognized')
    tell(`"${visible(name)}" is no product token; it is taken for ${named.name}`);
  if (named.by === 'unnameable')
    tell(
      `warning: "${visible(name)}" is no product token (letters, "_" and "-" only): ` +
        'no rule can ever name it, so it is judged by the rules for *',
    );
  return named;
}

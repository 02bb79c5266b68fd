// The robots.txt of a URL on the command line.
import { getRobotsTxtUrl } from '@maycrawl/core';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';

/** Returns the URL of the robots.txt of a URL. @throws {CommandError} if there is none. */
export function requireRobotsTxtUrl(url: string): string {
  try {
    return getRobotsTxtUrl(url);
  } catch {
    const advice = url.startsWith('/')
      ? 'a path needs --robots FILE'
      : 'give an absolute http, https or ftp URL, such as https://example.com/page';
    throw new CommandError(`"${visible(url)}" has no robots.txt: ${advice}`);
  }
}

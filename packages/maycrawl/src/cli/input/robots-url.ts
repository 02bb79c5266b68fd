// The robots.txt of a URL on the command line.
import { getRobotsTxtUrl } from '@maycrawl/core';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';

/** Returns the URL of the robots.txt of a URL. @throws {CommandError} if the scheme of the URL has no robots.txt, or it is not a URL. */
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

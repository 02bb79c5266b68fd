/**
 * Which site a URL is of.
 *
 * @module
 */
import { getRobotsTxtUrl } from '@maycrawl/core';

/** The origin whose robots.txt speaks for a URL. @throws {RangeError} if `url` is no absolute http, https or ftp URL. */
export function getOrigin(url: string): string {
  return getRobotsTxtUrl(url).slice(0, -'/robots.txt'.length);
}

// How an access log is read on a schedule.

import { isStringList, parseObject } from '@maycrawl/core/internal';
import { DamagedSiteError } from '../site.ts';

export interface LogSettings {
  /** Milliseconds from one reading to the next. */
  readonly every: number;
  /** The name of the format, or a pattern of nginx or Apache. @defaultValue recognised from the first lines of each file */
  readonly format?: string;
  /** The folder with lists of the addresses of crawlers. @defaultValue crawlers are not verified */
  readonly ranges?: string;
  /** The header field with the address of the client behind proxies. @defaultValue the address of the connection */
  readonly clientIp?: string;
  /** Addresses and networks of the proxies. @defaultValue none */
  readonly trustedProxies?: readonly string[];
}

/** A log that is read on a schedule is damaged in the database. */
export class DamagedLogError extends DamagedSiteError {
  override readonly name = 'DamagedLogError';

  /** @param origin - of the site. */
  constructor(origin: string, path: string) {
    super(origin, `the log ${path}`, 'remove it with watch logs --remove, and add it again');
  }
}

/** Reads settings from the database. Returns `null` if they are damaged. */
export function readLogSettings(text: string): LogSettings | null {
  const value = parseObject(text);
  if (value === undefined) return null;
  const settings = value as unknown as LogSettings;
  const { every, format, ranges, clientIp, trustedProxies = [] } = settings;
  const isRight =
    Number.isSafeInteger(every) &&
    every > 0 &&
    [format, ranges, clientIp].every((each) => each === undefined || typeof each === 'string') &&
    isStringList(trustedProxies);
  return isRight ? settings : null;
}

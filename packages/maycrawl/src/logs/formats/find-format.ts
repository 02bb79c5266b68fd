// The formats by their names.
import { findNearestName, quoteValue, requireString } from '@maycrawl/core/internal';
import { fastly } from './fastly.ts';
import { cloudflare } from './json/cdn-formats.ts';
import { caddy, nginxJson, traefik } from './json/server-formats.ts';
import type { LogFormat } from './log-format.ts';
import { alb, s3 } from './text/aws.ts';
import { cloudfront } from './text/cloudfront.ts';
import { combined, common, createPatternFormat, vhostCombined } from './text/text-format.ts';
import { w3c } from './text/w3c.ts';

/** All formats with a name, the more specific ones first: a line of `combined` is one of `common` with further fields. */
export const FORMATS: readonly LogFormat[] = [
  caddy,
  traefik,
  cloudflare,
  fastly,
  nginxJson,
  w3c,
  cloudfront,
  alb,
  s3,
  vhostCombined,
  combined,
  common,
];

/** The longest pattern. */
const MAX_PATTERN = 10_000;

/**
 * Finds a format by its name, or creates one from a pattern of nginx (`log_format`) or Apache (`LogFormat`).
 *
 * @throws {TypeError} if `nameOrPattern` is not a string.
 * @throws {RangeError} if there is no format with the name, or the pattern is invalid.
 */
export function findFormat(nameOrPattern: string): LogFormat {
  requireString('the name or pattern of a log format', nameOrPattern);
  const found = FORMATS.find(({ name }) => name === nameOrPattern);
  if (found !== undefined) return found;
  if (nameOrPattern.length > MAX_PATTERN)
    throw new RangeError(`the pattern of a log format must not be longer than ${MAX_PATTERN} characters`);
  if (/[$%]/.test(nameOrPattern)) return createPatternFormat(nameOrPattern);
  const names = FORMATS.map(({ name }) => name);
  const nearest = findNearestName(nameOrPattern, names);
  const hint =
    nearest === undefined
      ? `use ${names.join(', ')}, or a pattern of nginx or Apache`
      : `did you mean ${quoteValue(nearest)}?`;
  throw new RangeError(`there is no log format ${quoteValue(nameOrPattern)}: ${hint}`);
}

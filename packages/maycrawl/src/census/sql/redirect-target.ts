// The function `redirect_target` of SQL: the target of a redirect, by the URL Standard.

import type { DuckDBScalarFunction, DuckDBType } from '@duckdb/node-api';
import { parseUrl } from '@maycrawl/core/url';

/** What the function needs of the package. */
interface FunctionFactory {
  readonly DuckDBScalarFunction: typeof DuckDBScalarFunction;
  readonly VARCHAR: DuckDBType;
}

/**
 * Resolves the Location header of a response.
 *
 * @param url - the URL of the response.
 * @returns the URL of the target without its fragment, or `null` if it is not an http or https URL. A robots.txt has no query, as in
 * the table `captures`.
 */
function resolveTarget(url: string, location: string): string | null {
  const target = parseUrl(location, url);
  if (target === undefined || !/^https?:$/.test(target.protocol)) return null;
  return target.pathname === '/robots.txt'
    ? `${target.origin}/robots.txt`
    : `${target.origin}${target.pathname}${target.search}`;
}

/** Creates the function `redirect_target(url, location)`. */
export function createTargetFunction({
  DuckDBScalarFunction,
  VARCHAR,
}: FunctionFactory): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: 'redirect_target',
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: VARCHAR,
    mainFunction: (_, input, output) => {
      const [urls, locations] = [input.getColumnVector(0), input.getColumnVector(1)];
      for (let row = 0; row < input.rowCount; row++) {
        const [url, location] = [urls.getItem(row), locations.getItem(row)];
        const target =
          typeof url === 'string' && typeof location === 'string' ? resolveTarget(url, location) : null;
        output.setItem(row, target);
      }
      output.flush();
    },
  });
}

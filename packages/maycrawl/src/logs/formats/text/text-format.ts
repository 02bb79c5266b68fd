// Formats of which a layout describes all lines.
import { quoteValue } from '@maycrawl/core/internal';
import type { LineContents, LineReader, LogFormat, ReaderOptions } from '../log-format.ts';
import { compileApachePattern } from './apache-pattern.ts';
import { checkLayout, getContents, type Layout } from './layout.ts';
import { LayoutReader } from './layout-reader.ts';
import { compileNginxPattern } from './nginx-pattern.ts';

/**
 * Creates a format from its layout.
 *
 * @param has - what the lines have in another field: the host in the request line.
 */
export function createTextFormat(name: string, layout: Layout, has: Partial<LineContents> = {}): LogFormat {
  return {
    name,
    has: { ...getContents(layout), ...has },
    hasHeader: false,
    getHeaderAfter: (_, header) => header,
    createReader: (options: ReaderOptions): LineReader => {
      const field = options.clientIp?.field.toLowerCase();
      if (field !== undefined && !layout.fields.some(({ header }) => header === field))
        throw new RangeError(`the lines of the format have no header field ${quoteValue(field)}`);
      return new LayoutReader(layout, options);
    },
  };
}

/**
 * Creates a format from a pattern of nginx, which has variables (`$request`), or of Apache, which has directives (`%r`).
 *
 * @throws {RangeError} if the pattern is invalid, or lacks the time or the request.
 */
export function createPatternFormat(pattern: string): LogFormat {
  const isNginx = /\$\{?[a-z]/i.test(pattern);
  const layout = isNginx ? compileNginxPattern(pattern) : compileApachePattern(pattern);
  checkLayout(layout, isNginx ? 'the log_format' : 'the LogFormat');
  return createTextFormat(pattern, layout);
}

const COMMON = '%h %l %u %t "%r" %>s %b';
const COMBINED = `${COMMON} "%{Referer}i" "%{User-Agent}i"`;

/** The common log format (https://httpd.apache.org/docs/2.4/logs.html#common). It has no User-Agent header. */
export const common: LogFormat = createTextFormat('common', compileApachePattern(COMMON));

/**
 * The combined log format of Apache and nginx (https://httpd.apache.org/docs/2.4/logs.html#combined). Further fields may follow, as in
 * the format `main` of nginx's default configuration.
 */
export const combined: LogFormat = createTextFormat('combined', {
  ...compileApachePattern(COMBINED),
  allowsMore: true,
});

/** The combined log format after the virtual host and its port, as Debian configures it for Apache. */
export const vhostCombined: LogFormat = createTextFormat('vhost-combined', {
  ...compileApachePattern(`%v:%p ${COMBINED}`),
  allowsMore: true,
});

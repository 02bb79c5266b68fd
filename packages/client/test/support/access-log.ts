// The access log of a test site, and its judgement by maycrawl/logs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GOOGLE, resolveAgent } from '@maycrawl/core';
import {
  createIdentifier,
  judgeLog,
  LogCrawlers,
  type LogSummary,
  readLog,
  Timeline,
} from '../../../maycrawl/src/logs.ts';
import { WRITERS } from '../../../maycrawl/test/support/log-writer.ts';

/** The status of nginx for a request without a response. */
const NO_RESPONSE = 499;

/** The requests of a site as lines of the combined format. */
export class AccessLog {
  readonly #lines: string[] = [];

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Writes the line of a request when its response ends, as nginx does. */
  record({ method = '', url = '', headers, socket }: IncomingMessage, response: ServerResponse): void {
    const { remoteAddress = '' } = socket;
    response.on('close', () => {
      const line = WRITERS['combined']?.write({
        ...{ time: Date.now(), host: headers.host ?? '', method, target: url, bytes: 0 },
        ...{ status: response.headersSent ? response.statusCode : NO_RESPONSE, address: remoteAddress },
        userAgent: headers['user-agent'] ?? '-',
      });
      this.#lines.push(line as string);
    });
  }

  /** Judges the log. @param robots - the robots.txt that the site serves. */
  judge(origin: string, robots: string): Promise<LogSummary> {
    const body = Buffer.from(robots);
    return judgeLog(readLog(toStream(Buffer.from(this.text)), { format: 'combined' }), {
      sites: [
        {
          origin,
          timeline: new Timeline([{ name: 'robots.txt', from: Number.NEGATIVE_INFINITY, body }]),
        },
      ],
      profile: GOOGLE,
      crawlers: new LogCrawlers(resolveAgent),
      identify: createIdentifier(),
    });
  }
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

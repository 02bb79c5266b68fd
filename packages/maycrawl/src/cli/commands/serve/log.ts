// The log of the service: one JSON object a line on standard output, as api/log-line.ts describes it.
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import type { LogLine } from '../../../api/log-line.ts';
import { escapeJson } from '../../../text/printable.ts';

/**
 * Creates the log. Messages of errors contain texts of sites and of clients: what JSON does not escape and a terminal executes is escaped,
 * too.
 *
 * @param destination - gets whole lines. @defaultValue standard output
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = pino.destination(1),
): Logger {
  return pino(
    { level, serializers: { err: describeError } },
    { write: (line) => destination.write(escapeJson(line)) },
  );
}

/** Describes an error with its causes. Other properties of it are omitted: those of drivers have the data of statements. */
function describeError(error: unknown): LogLine['err'] {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const { code } = error as NodeJS.ErrnoException;
  return {
    ...{ type, message, stack: stack ?? '' },
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
  };
}

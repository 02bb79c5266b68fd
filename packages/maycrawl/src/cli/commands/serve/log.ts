// The log of the service: one JSON object a line on standard output.
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
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
  return pino({ level }, { write: (line) => destination.write(escapeJson(line)) });
}

// What an error of Redis, or of a client of it, means. Redis begins a message with a word in capital letters.
import { DatabaseError, type DatabaseErrorCode } from '../../database/database-error.ts';

const CODES: ReadonlyMap<string, readonly [DatabaseErrorCode, string]> = new Map([
  [
    'OOM',
    [
      'database-full',
      'Redis has no memory left; what it has stays, and it can be written to when there is memory',
    ],
  ],
  ['MISCONF', ['database-read-only', 'Redis cannot be written to']],
  ['NOREPLICAS', ['database-read-only', 'Redis cannot be written to']],
  ['READONLY', ['database-read-only', 'Redis cannot be written to']],
  ['WRONGTYPE', ['database-unreadable', 'another program uses keys with this prefix']],
  ['BUSY', ['database-busy', 'Redis runs a script of another client']],
]);

/** Describes what a client of Redis threw. */
export function toRedisError(cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const message = String((cause as { readonly message?: unknown } | undefined)?.message || cause);
  // Redis before version 7 has the error of a command behind the error of its script.
  const [, word = ''] =
    /^([A-Z]+) /.exec(message.replace(/^ERR Error running script .{0,300}: -(?=[A-Z])/, '')) ?? [];
  const [code, text] = CODES.get(word) ?? ['database-unavailable', 'cannot use Redis'];
  return new DatabaseError(code, `${text}: ${message}`, { cause });
}

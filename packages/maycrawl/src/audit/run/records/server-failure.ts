// Statuses with which a server fails for a reason that may be temporary: from 500 on, or 429.

export function isServerFailure(status: number): boolean {
  return status >= 500 || status === 429;
}

/** The same as a condition in SQL on the column `status`. */
export const IS_SERVER_FAILURE = '(status >= 500 or status = 429)';

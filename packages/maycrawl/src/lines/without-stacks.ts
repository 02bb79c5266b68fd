// Errors about untrusted text, which become messages. To capture the stack of one takes longer than all else about a short line.

/** Runs `work`, whose errors have no stack. It must not be asynchronous: the limit is the process's. */
export function runWithoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

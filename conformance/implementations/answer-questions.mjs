// Runs an adapter as a process, and gets an answer to each question. A question that takes too long costs the process its life, and a
// new one continues with the next question.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Milliseconds for the start of a process. */
const START_DEADLINE = 60_000;
/** Milliseconds for one question. */
const QUESTION_DEADLINE = 5_000;
/** Milliseconds for all questions of an adapter that answers after the last one. */
const BATCH_DEADLINE = 180_000;
const MAX_ERROR_LENGTH = 80;

/**
 * Gets the answers of an implementation.
 *
 * @param command - the program of the adapter, and its arguments.
 * @param options - those of the implementation, and the `deadline` of a question.
 * @returns its version, and an answer for each question in their order: `{allowed}` or `{error}`.
 * @throws {Error} if the adapter does not start.
 */
export async function answerQuestions(command, questions, options = {}) {
  const { encode = JSON.stringify, isBatch = false, deadline = QUESTION_DEADLINE } = options;
  const answers = [];
  let version;
  while (answers.length < questions.length) {
    const adapter = startAdapter(command);
    const started = await adapter.read(START_DEADLINE);
    version = started?.version;
    if (version === undefined) throw new Error(`${command.join(' ')} does not start: ${adapter.getErrors()}`);
    if (isBatch) adapter.write(`${questions.map(encode).join('\n')}\n`, true);
    while (answers.length < questions.length) {
      if (!isBatch) adapter.write(`${encode(questions[answers.length])}\n`, false);
      const answer = await adapter.read(isBatch ? BATCH_DEADLINE : deadline);
      answers.push(answer ?? { error: adapter.isLate() ? 'no answer in time' : 'the process ended' });
      if (answer === undefined) break;
    }
    await adapter.stop();
  }
  return { version, answers: answers.map(shorten) };
}

function startAdapter([program, ...args]) {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once('close', resolve));
  let errors = '';
  let isLate = false;
  child.on('error', ({ message }) => {
    errors += message;
  });
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-1_000);
  });
  return {
    write: (text, isLast) => (isLast ? child.stdin.end(text) : child.stdin.write(text)),
    async read(deadline) {
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, deadline);
      const { value } = await lines.next();
      clearTimeout(timer);
      return value === undefined ? undefined : JSON.parse(value);
    },
    isLate: () => isLate,
    getErrors: () => errors.trim(),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Keeps the first line of an error, without paths of this machine. */
function shorten({ allowed, error }) {
  if (error === undefined) return { allowed };
  const [line] = error.replace(/ at \/\S+.*/s, '').split('\n');
  return { error: line.slice(0, MAX_ERROR_LENGTH) };
}

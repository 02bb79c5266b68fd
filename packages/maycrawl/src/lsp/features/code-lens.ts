// Code lenses: how many URLs of the expectations (robots.test.yaml beside the file) each line decides.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readStart } from '@maycrawl/core/internal';
import type { CodeLens } from 'vscode-languageserver';
import { MAX_EXPECTATIONS_BYTES } from '../../expectations/expectations.ts';
import { formatCount } from '../../text/counts.ts';
import { visible } from '../../text/printable.ts';
import type { ExpectationSummary } from '../analysis.ts';
import type { RobotsDocument } from '../robots-document.ts';

/** The name of the file with the expectations, as `maycrawl verify` has it by default. */
export const TESTS_NAME = 'robots.test.yaml';

/** Reads the expectations beside a file; `undefined` if there are none. @throws if they cannot be read. */
export async function readTests(uri: string): Promise<string | undefined> {
  if (!uri.startsWith('file:')) return undefined;
  const path = fileURLToPath(new URL(TESTS_NAME, uri));
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  // A pipe would not end.
  if (stats === undefined || !stats.isFile()) return undefined;
  const bytes = await readStart(createReadStream(path), MAX_EXPECTATIONS_BYTES + 1);
  return Buffer.from(bytes).toString();
}

/** Creates the lenses: one about all expectations, and one for each line that decides URLs. */
export function toCodeLenses(document: RobotsDocument, summary: ExpectationSummary): CodeLens[] {
  const { urls, lines, count, met, problem } = summary;
  if (problem !== null) return [createProblemLens(document, problem)];
  const decided = lines.map(({ line, urls: own, unexpected }) => {
    const note = unexpected === 0 ? '' : `, ${formatCount(unexpected)} not as expected`;
    return createLens(
      document,
      line,
      `decides ${formatCount(own)} of your ${formatCount(urls, 'URL')}${note}`,
    );
  });
  return [
    createLens(
      document,
      1,
      `meets ${formatCount(met)} of ${formatCount(count, 'expectation')} of ${TESTS_NAME}`,
    ),
    ...decided,
  ];
}

/** Creates the lens about expectations that cannot be read. */
export function createProblemLens(document: RobotsDocument, problem: string): CodeLens {
  return createLens(document, 1, `${TESTS_NAME} cannot be read: ${visible(problem)}`);
}

/** A command without a name is only text. */
function createLens(document: RobotsDocument, line: number, title: string): CodeLens {
  return { range: document.toLineRange(line), command: { title, command: '' } };
}

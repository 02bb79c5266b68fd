/**
 * The worker for what can take seconds: findings, mending, comparing. Whoever wants something newer ends it.
 *
 * @module
 */
import { parse, type RobotsTxt } from '@maycrawl/core';
import { fix, lint } from '@maycrawl/core/lint';
import { fileOfBytes } from '../state/robots-file.ts';
import { compare } from './compare.ts';
import type { FileToJudge, ProofAnswer, ProofQuestion } from './question.ts';

/** More findings than this are counted, and not listed. */
const MAX_FINDINGS = 1000;

addEventListener('message', ({ data }: MessageEvent<ProofQuestion>) => {
  let answer: ProofAnswer;
  try {
    answer = answerOf(data);
  } catch (error) {
    answer = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});

function answerOf(question: ProofQuestion): ProofAnswer {
  if (question.kind === 'compare') {
    return { kind: 'compare', comparing: compare(question.before, question.after, question.profile) };
  }
  const robots = read(question.file);
  if (question.kind === 'findings') {
    const findings = lint(robots);
    return { kind: 'findings', findings: findings.slice(0, MAX_FINDINGS), total: findings.length };
  }
  if (robots.truncated) throw new RangeError(`Mending would lose what is beyond ${robots.maxBytes} bytes.`);
  const { bytes, resolved } = fix(robots, question.findings);
  return { kind: 'fix', text: resolved.length === 0 ? null : fileOfBytes(bytes).text };
}

/** Where the file stands does not matter here. */
function read({ content, profile }: FileToJudge): RobotsTxt {
  return parse(content, { profile });
}

// The worker of requests that can take seconds: findings, fixes, comparisons, edits of preferences. A newer request terminates it.
import { parse, type RobotsTxt } from '@maycrawl/core';
import { fix, lint } from '@maycrawl/core/lint';
import { compare } from './compare.ts';
import type { FileInput, ProofRequest, ProofResult } from './messages.ts';
import { planPreferences } from './plan-preferences.ts';

const MAX_FINDINGS = 1000;

addEventListener('message', ({ data }: MessageEvent<ProofRequest>) => {
  let result: ProofResult;
  try {
    result = evaluate(data);
  } catch (error) {
    result = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  postMessage(result);
});

function evaluate(request: ProofRequest): ProofResult {
  if (request.kind === 'compare') {
    return { kind: 'compare', comparison: compare(request.before, request.after, request.profile) };
  }
  if (request.kind === 'preferences') {
    const { content, profile } = request.file;
    return { kind: 'preferences', plan: planPreferences(content, profile, request.wishes) };
  }
  const robots = parseFile(request.file);
  if (request.kind === 'findings') {
    const findings = lint(robots);
    return { kind: 'findings', findings: findings.slice(0, MAX_FINDINGS), total: findings.length };
  }
  if (robots.truncated)
    throw new RangeError(
      `The file cannot be fixed: fixes would remove everything after ${robots.maxBytes} bytes.`,
    );
  const { bytes, resolved } = fix(robots, request.findings);
  return { kind: 'fix', bytes: resolved.length === 0 ? null : bytes };
}

/** Without the origin, which does not matter here. */
function parseFile({ content, profile }: FileInput): RobotsTxt {
  return parse(content, { profile });
}

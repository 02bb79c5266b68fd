// The worker of requests that can take seconds: findings, fixes, comparisons, edits of preferences. A newer request terminates it.
import { parse, type RobotsTxt } from '@maycrawl/core';
import { fix, lint } from '@maycrawl/core/lint';
import { describeRefusalReach, findRefusalReach } from '@maycrawl/core/preferences';
import { compare } from './compare.ts';
import type { FileInput, ProofRequest, ProofResult } from './messages.ts';
import { planPreferences } from './plan-preferences.ts';

const MAX_FINDINGS = 1000;

addEventListener('message', async ({ data }: MessageEvent<ProofRequest>) => {
  let result: ProofResult;
  try {
    result = data.kind === 'reach' ? await findReach(data) : evaluate(data);
  } catch (error) {
    result = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  postMessage(result);
});

/** The catalogue is large, and other requests do not need it. */
async function findReach({ file, refusal }: Extract<ProofRequest, { kind: 'reach' }>): Promise<ProofResult> {
  const { CRAWLER_RECORDS } = await import('@maycrawl/core/crawlers');
  const reach = findRefusalReach(parseFile(file), refusal, CRAWLER_RECORDS);
  return { kind: 'reach', sentences: describeRefusalReach(reach, refusal.purposes) };
}

function evaluate(request: Exclude<ProofRequest, { kind: 'reach' }>): ProofResult {
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

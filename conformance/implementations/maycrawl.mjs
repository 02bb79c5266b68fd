// The verdicts of this project, as a program gets them: `decide` with the agent that it has. The test of the page imports this, too.
import { decide } from '@maycrawl/core';

/**
 * Decides a question.
 *
 * @param question - `isToken`: the agent is a text as Google's matcher takes it, and no name of a crawler.
 * @returns whether the agent may fetch the URL.
 * @throws {TypeError} if the agent names no crawler.
 */
export function decideByProfile(profile, { robots, agent, url, isToken = false }) {
  const crawler = isToken ? { tokens: [agent] } : agent;
  return decide(Buffer.from(robots, 'base64'), crawler, url, { profile }).allowed === true;
}

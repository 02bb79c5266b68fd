// The questions for implementations: the cases of cases.json, and the recorded verdicts of Google's matcher that any implementation can
// be compared with: those with one crawler and one origin.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The crawler of a case that names no other one. */
export const AGENT = 'ExampleBot';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** A text, or a list of texts with the number of times that each is repeated. */
const repeat = (text) =>
  typeof text === 'string' ? text : text.map(([each, count]) => each.repeat(count)).join('');

/** A question as adapters get it; `robots` is base64. */
function toQuestion({ id, robots, robots_base64: base64, agent = AGENT, agents = [agent], url }) {
  return {
    id,
    robots: base64 ?? Buffer.from(repeat(robots)).toString('base64'),
    agent: agents[0],
    url: repeat(url),
  };
}

/** The topics with their cases. */
export const TOPICS = JSON.parse(read('cases.json'));

/** The questions of all cases. */
export const CASES = TOPICS.flatMap(({ cases }) => cases.map(toQuestion));

/** The recorded verdicts of Google's matcher, each with its question. `isToken`: the agent is no name, but a text as the matcher takes it. */
export const RECORDED = read('../google-reference.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ agents, url }) => agents.length === 1 && url.startsWith('http://example.com'))
  .map((row) => ({ ...toQuestion(row), isToken: true, allowed: row.allowed }));

/** Identifies the questions to which results belong. */
export const DIGEST = createHash('sha256').update(JSON.stringify(CASES)).digest('hex').slice(0, 16);

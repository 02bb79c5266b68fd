// The share of the processor time by stage, from a profile of one thread that does all the work of the command.
import { Session } from 'node:inspector/promises';
import { findInputs, writeCensus } from 'maycrawl/census';

/** Stages by the file of a function. A function of another file belongs to the stage of its caller. */
const STAGES = [
  [/^node:zlib/, 'gunzip'],
  [/^node:internal\/crypto/, 'digests'],
  [/\/census\/(?:archive|inputs)\//, 'reader'],
  [/\/core\/|\/census\/(?:judge|read-as)\//, 'judging'],
  [/\/census\/(?:tables|census-writer)|\/hyparquet/, 'tables'],
  [/\/census\/|\/tldts/, 'rows'],
];
const OTHER = 'other';

function getStage({ functionName, url }, stageOfCaller) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  return STAGES.find(([pattern]) => pattern.test(url))?.[1] ?? stageOfCaller;
}

/** Measures the shares. @returns by the name of the stage, from 0 to 1, the largest first. */
export async function measureStages(paths, { folder, agents }) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  await writeCensus(await findInputs(paths), {
    ...{ folder, agents, profile: 'google', version: 'benchmark', threads: 0 },
  });
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const stages = new Map();
  const visit = (id, stageOfCaller) => {
    const { callFrame, children = [] } = nodes.get(id);
    const stage = getStage(callFrame, stageOfCaller);
    stages.set(id, callFrame.functionName === '(idle)' ? undefined : stage);
    for (const child of children) visit(child, stage);
  };
  visit(profile.nodes[0].id, OTHER);
  const times = new Map();
  for (const [index, id] of profile.samples.entries()) {
    const stage = stages.get(id);
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + profile.timeDeltas[index]);
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const sorted = [...times].sort((a, b) => b[1] - a[1]);
  return Object.fromEntries(sorted.map(([stage, time]) => [stage, time / total]));
}

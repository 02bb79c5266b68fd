// Proofs for real files: comparison with another form of the file, with the file without one rule, and minification.
import { parse } from '@maycrawl/core';
import { compareFiles, findRedundantRules, minify } from '@maycrawl/core/proofs';
import { readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

/** The same rules in another form: groups in the opposite order, other case, other spaces, comments. */
function reformat(robots) {
  const groups = robots.groups().map(({ userAgents, rules }) => {
    const agents = userAgents.map(({ text }) => `USER-AGENT :${text} # crawler`);
    const lines = rules.map(({ kind, value }) => `  ${kind.toUpperCase()}:\t${value}`);
    return [...agents, ...(lines.length > 0 ? lines : ['disallow:'])].join('\r\n');
  });
  return parse(groups.reverse().join('\r\n\r\n# another\r\n'));
}

/** The file without one rule, whose line becomes a comment. */
function withoutRule(bytes, line) {
  const lines = bytes.toString('latin1').split(/\r\n|\r|\n/);
  lines[line - 1] = 'disallow:';
  return parse(Buffer.from(lines.join('\n'), 'latin1'));
}

const timed = (work) => {
  const start = performance.now();
  return { result: work(), took: performance.now() - start };
};

function report(title, times, rest) {
  const [median, p90, p99, worst] = [0.5, 0.9, 0.99, 1].map((q) => quantile(times, q).toFixed(1));
  console.log(`${title}: median ${median} ms, 90 % ${p90}, 99 % ${p99}, longest ${worst}; ${rest}`);
}

const { label, files } = readCorpus();
console.log(`${label}\n`);
const [again, removed, redundant, small] = [[], [], [], []];
const counts = {
  same: 0,
  sameOpen: 0,
  changed: 0,
  equal: 0,
  open: 0,
  rules: 0,
  redundant: 0,
  undecided: 0,
  bytes: 0,
  saved: 0,
};
for (const bytes of files) {
  const robots = parse(bytes);
  const rules = robots.groups().flatMap((group) => group.rules);
  // Lines are those of the parser, for which a carriage return in a line end is not a line.
  const same = timed(() => compareFiles(robots, reformat(robots)).equivalent);
  again.push(same.took);
  if (same.result === false) throw new Error('another form of the same file is not equivalent');
  counts[same.result ? 'same' : 'sameOpen']++;
  if (rules.length === 0) continue;
  const after = withoutRule(bytes, rules[rules.length >> 1].line);
  const less = timed(() => compareFiles(robots, after));
  removed.push(less.took);
  const isOpen = less.result.comparisons.some(({ equivalent }) => equivalent === null);
  counts[isOpen ? 'open' : less.result.equivalent ? 'equal' : 'changed']++;
  const found = timed(() => findRedundantRules(robots));
  redundant.push(found.took);
  counts.rules += rules.length;
  counts.redundant += found.result.rules.length;
  counts.undecided += found.result.undecided.length;
  const smaller = timed(() => minify(robots));
  small.push(smaller.took);
  counts.bytes += bytes.length;
  counts.saved += bytes.length - smaller.result.bytes.length;
}
report('another form of the same', again, `${counts.same} equivalent, ${counts.sameOpen} not decided`);
report(
  'without one rule',
  removed,
  `${counts.changed} change, ${counts.equal} do not, ${counts.open} not decided`,
);
report(
  'redundant rules',
  redundant,
  `${counts.redundant} of ${counts.rules}, ${counts.undecided} not decided`,
);
report('minify', small, `${counts.saved} of ${counts.bytes} bytes saved`);

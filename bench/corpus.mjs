// Files for benchmarks: real ones from the folder MAYCRAWL_CORPUS, else generated ones of about the same
// sizes. All random choices have a fixed seed, so that runs are comparable.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.MAYCRAWL_CORPUS ?? fileURLToPath(new URL('../../shared/corpus', import.meta.url));

/** Pseudorandom numbers from 0 to 1: a linear congruential generator. */
export function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

// Sizes in bytes at each tenth of 480 real files: half of them are shorter than 600 bytes.
const SIZES = [40, 67, 116, 184, 315, 532, 889, 1386, 2107, 3670, 60_000];

function generateFile(random) {
  const tenth = random() * 10;
  const low = SIZES[Math.floor(tenth)];
  const size = low + (SIZES[Math.floor(tenth) + 1] - low) * (tenth % 1) ** 4;
  const word = () =>
    Math.floor(random() * 2 ** 30)
      .toString(36)
      .slice(0, 2 + Math.floor(random() * 6));
  let text = 'User-agent: *\n';
  while (text.length < size) {
    const kind = random();
    if (kind < 0.04)
      text += `\nUser-agent: ${['Googlebot', 'bingbot', 'GPTBot', word()][Math.floor(random() * 4)]}\n`;
    else if (kind < 0.08) text += `# ${word()} ${word()}\n`;
    else {
      const path = `/${word()}${random() < 0.6 ? `/${word()}` : ''}${random() < 0.5 ? '/' : ''}`;
      const wild = random() < 0.15 ? '*' : '';
      text += `${kind < 0.2 ? 'Allow' : 'Disallow'}: ${wild ? `/*${path.slice(1)}` : path}${random() < 0.04 ? '$' : ''}\n`;
    }
  }
  return Buffer.from(text);
}

/** The files, and their description. */
export function readCorpus() {
  if (existsSync(FOLDER)) {
    const files = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name)));
    return { label: `${files.length} real files`, files };
  }
  const random = makeRandom(7);
  return { label: '480 generated files', files: Array.from({ length: 480 }, () => generateFile(random)) };
}

/**
 * Creates questions: a file, an agent and a URL. Half of the URLs are derived from the rules of the file, so that rules decide.
 * The file is random, or that of `getFileIndex`.
 */
export function makeQuestions(files, count, getFileIndex) {
  const random = makeRandom(11);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const texts = files.map((bytes) => bytes.toString('utf8'));
  const patterns = texts.map((text) =>
    [...text.matchAll(/^(?:dis)?allow:[ \t]*([!-~]+)/gim)].map(([, value]) => value),
  );
  return Array.from({ length: count }, (_, index) => {
    const file = getFileIndex?.(index) ?? Math.floor(random() * files.length);
    const own = patterns[file].length > 0 && random() < 0.5;
    const path = own
      ? `/${pick(patterns[file]).replace(/[*$]/g, 'x').replace(/^\//, '')}`
      : `/some/page-${index}/index.html?id=${index}`;
    const agent = pick(['Googlebot', 'bingbot', 'GPTBot', 'OtherBot']);
    return { file, bytes: files[file], text: texts[file], agent, url: `http://example.com${path}` };
  });
}

/** Larger files would be most of the bytes. */
const MAX_DISTINCT_BYTES = 200_000;

/**
 * Creates questions that each have another file: a random one with changed paths in some of its rules. Half of the URLs are derived from the
 * rules.
 */
export function makeDistinctQuestions(files) {
  const random = makeRandom(5);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const texts = files
    .filter(({ length }) => length < MAX_DISTINCT_BYTES)
    .map((bytes) => bytes.toString('utf8'));
  return (index) => {
    let text = pick(texts).replace(/^((?:dis)?allow:[ \t]*\/)/gim, (start) =>
      random() < 0.3 ? `${start}${Math.floor(random() * 1e6).toString(36)}/` : start,
    );
    text += `\n# ${index}\n`;
    const patterns = [...text.matchAll(/^(?:dis)?allow:[ \t]*([!-~]+)/gim)].map(([, value]) => value);
    const path =
      patterns.length > 0 && random() < 0.5
        ? `/${pick(patterns).replace(/[*$]/g, 'x').replace(/^\//, '')}`
        : `/some/page-${index}/index.html?id=${index}`;
    const agent = pick(['Googlebot', 'bingbot', 'GPTBot', 'OtherBot']);
    return { bytes: Buffer.from(text), agent, url: `http://example.com${path}` };
  };
}

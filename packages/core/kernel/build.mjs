// Compiles the kernels to WebAssembly and writes them to modules with their code. With --check, it compares instead, and fails if they
// differ.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

/** The module with the code, its source, the module that uses it, the name of the code, and the size of its memory in 64 KiB. */
const KERNELS = [
  {
    target: 'packages/core/src/syntax/kernel-code.ts',
    source: 'kernel/kernel.ts',
    user: 'kernel.ts',
    name: 'KERNEL_CODE',
    pages: 2,
  },
  {
    target: 'packages/maycrawl/src/batch/json-string-code.ts',
    source: 'kernel/json-string.ts',
    user: 'json-string.ts',
    name: 'JSON_STRING_CODE',
    pages: 33,
  },
];
const ROOT = new URL('../../../', import.meta.url);
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];

/** Compiles a source to WebAssembly. @throws {Error} if it has errors. */
async function compile(text, pages) {
  let code;
  const options = [...OPTIONS, '--initialMemory', String(pages), '--outFile', 'kernel.wasm'];
  const { error, stderr } = await asc.main(['kernel.ts', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? text : null),
    writeFile: (_, contents) => {
      code = Buffer.from(contents);
    },
  });
  if (error) throw new Error(stderr.toString());
  return code;
}

for (const { target, source, user, name, pages } of KERNELS) {
  const module = new URL(target, ROOT);
  const code = await compile(
    readFileSync(new URL(`${target.split('/src/')[0]}/${source}`, ROOT), 'utf8'),
    pages,
  );
  const lines = code.toString('base64').match(/.{1,100}/g);
  const text = `/**
 * The WebAssembly code of ${user} (${code.length} bytes), in base64. \`npm run kernel\` builds it from ${source}.
 *
 * @module
 */
export const ${name}: string =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
  if (!process.argv.includes('--check')) writeFileSync(module, text);
  else if (readFileSync(module, 'utf8') !== text) {
    console.error(`${target} is not what ${source} compiles to: run \`npm run kernel\``);
    process.exitCode = 1;
  }
}

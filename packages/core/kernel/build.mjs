// Compiles the kernel to WebAssembly and writes it to a module with its code. With --check, it compares instead, and fails if they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

/** The module with the code, and its source. */
const TARGET = 'packages/core/src/syntax/kernel-code.ts';
const SOURCE = 'kernel/kernel.ts';
const ROOT = new URL('../../../', import.meta.url);
/** Options of the compiler. The memory has two pages of 64 KiB. */
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--initialMemory', '2'];

/** Compiles a source to WebAssembly. @throws {Error} if it has errors. */
async function compile(text) {
  let code;
  const options = [...OPTIONS, '--outFile', 'kernel.wasm'];
  const { error, stderr } = await asc.main(['kernel.ts', ...options], {
    readFile: (name) => (name === 'kernel.ts' ? text : null),
    writeFile: (_, contents) => {
      code = Buffer.from(contents);
    },
  });
  if (error) throw new Error(stderr.toString());
  return code;
}

const module = new URL(TARGET, ROOT);
const code = await compile(readFileSync(new URL(`packages/core/${SOURCE}`, ROOT), 'utf8'));
const lines = code.toString('base64').match(/.{1,100}/g);
const text = `// The WebAssembly code of kernel.ts (${code.length} bytes), in base64. \`npm run kernel\` builds it from ${SOURCE}.
export const KERNEL_CODE: string =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
if (!process.argv.includes('--check')) writeFileSync(module, text);
else if (readFileSync(module, 'utf8') !== text) {
  console.error(`${TARGET} is not what ${SOURCE} compiles to: run \`npm run kernel\``);
  process.exitCode = 1;
}

// Compiles kernel.ts to WebAssembly and writes it to ../src/syntax/kernel-code.ts. With --check, it compares instead, and fails if
// they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const TARGET = new URL('../src/syntax/kernel-code.ts', import.meta.url);
const OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--initialMemory', '2'];

let code;
const { error, stderr } = await asc.main(['kernel.ts', ...OPTIONS, '--outFile', 'kernel.wasm'], {
  readFile: (name) => (name === 'kernel.ts' ? readFileSync(new URL(name, import.meta.url), 'utf8') : null),
  writeFile: (_, contents) => {
    code = Buffer.from(contents);
  },
});
if (error) {
  console.error(stderr.toString());
  process.exit(1);
}

const lines = code.toString('base64').match(/.{1,100}/g);
const text = `/**
 * The WebAssembly code of kernel.ts (${code.length} bytes), in base64. \`npm run kernel\` builds it from kernel/kernel.ts.
 *
 * @module
 */
export const KERNEL_CODE: string =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('src/syntax/kernel-code.ts is not what kernel/kernel.ts compiles to: run `npm run kernel`');
  process.exit(1);
}

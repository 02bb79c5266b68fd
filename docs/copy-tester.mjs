// Copies the tester page, which is built with the packages, into the site.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [from, to] = ['../packages/maycrawl/dist/web', 'public/tester'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
if (!existsSync(from))
  throw new Error(`the tester page is not built: run "npm run build" in the root of the project first`);
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('watch.html') });

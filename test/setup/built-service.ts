import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const fromRoot = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
let isBuilt = false;

/** Returns the path of a bundled program, as `npm start` and `npm run admin` run it. */
export function builtProgram(name: 'main' | 'admin'): string {
  // `npm test` has built it, but Jest can be run without it.
  if (!isBuilt) execFileSync(process.execPath, [fromRoot('scripts/build-service.mjs')]);
  isBuilt = true;
  return fromRoot(`dist/${name}.js`);
}

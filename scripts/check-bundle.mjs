import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { projectFolder, step, StepError } from './lib/project.mjs';

const limitKilobytes = 200;
const dist = path.join(projectFolder, 'dashboard', 'dist');

/** Chunks of the first visit, to the sign-in page and the overview. Other pages are loaded when opened. */
const firstVisit = ['index.html', 'src/pages/OverviewPage.tsx'];

/** Returns the scripts of these chunks and of everything they import statically. */
function scriptsOf(manifest, chunks, scripts = new Set()) {
  for (const name of chunks) {
    const chunk = manifest[name];
    if (chunk === undefined)
      throw new StepError(`the build has no chunk for ${name}; correct scripts/check-bundle.mjs.`);
    if (scripts.has(chunk.file)) continue;
    scripts.add(chunk.file);
    scriptsOf(manifest, chunk.imports ?? [], scripts);
  }
  return scripts;
}

/** Fails if the first visit loads more JavaScript than allowed, measured as Brotli. */
function checkBundle() {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite', 'manifest.json'), 'utf8'));
  const kilobytesOf = (script) => statSync(path.join(dist, `${script}.br`)).size / 1000;
  let total = 0;
  for (const script of scriptsOf(manifest, firstVisit)) {
    total += kilobytesOf(script);
    console.log(`${kilobytesOf(script).toFixed(1).padStart(8)} kB  ${script}`);
  }
  console.log(
    `The first visit loads ${total.toFixed(1)} kB of JavaScript (Brotli); the limit is ${limitKilobytes} kB.`,
  );
  if (total > limitKilobytes)
    throw new StepError("the first visit loads too much JavaScript: import what isn't needed there lazily.");
}

await step(checkBundle);

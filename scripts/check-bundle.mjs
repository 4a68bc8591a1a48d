import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { projectFolder, step, StepError } from './lib/project.mjs';

const limitKilobytes = 200;
const dist = path.join(projectFolder, 'dashboard', 'dist');

/** What a first visit loads: what signs in and shows the keys. Everything else comes when it is opened. */
const firstVisit = ['index.html'];

/** The scripts of these chunks, and of all chunks that they import before they can run. */
function scriptsOf(manifest, chunks, scripts = new Set()) {
  for (const name of chunks) {
    const chunk = manifest[name];
    if (chunk === undefined)
      throw new StepError(`the build has no chunk of ${name}; correct scripts/check-bundle.mjs.`);
    if (scripts.has(chunk.file)) continue;
    scripts.add(chunk.file);
    scriptsOf(manifest, chunk.imports ?? [], scripts);
  }
  return scripts;
}

/** Ends with 1 when the first visit loads more JavaScript than it may, as compressed for every browser of today. */
function checkBundle() {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite', 'manifest.json'), 'utf8'));
  const kilobytesOf = (script) => statSync(path.join(dist, `${script}.br`)).size / 1000;
  let total = 0;
  for (const script of scriptsOf(manifest, firstVisit)) {
    total += kilobytesOf(script);
    console.log(`${kilobytesOf(script).toFixed(1).padStart(8)} kB  ${script}`);
  }
  console.log(`The first visit loads ${total.toFixed(1)} kB of JavaScript (Brotli); ${limitKilobytes} kB are allowed.`);
  if (total > limitKilobytes) throw new StepError('the first visit loads too much: load later what it does not need.');
}

await step(checkBundle);

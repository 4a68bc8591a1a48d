import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { projectFolder, step, StepError } from './lib/project.mjs';

const dist = path.join(projectFolder, 'dashboard', 'dist');

/**
 * What a visit loads at most, measured as Brotli. Files are limited too: browsers request six at a time over HTTP/1.1, so
 * many small ones take longer than their size.
 */
const visits = [
  {
    name: 'The first visit, to the sign-in page and the overview,',
    chunks: ['index.html', 'src/pages/OverviewPage.tsx'],
    kilobytes: 200,
    files: 13,
  },
  {
    name: 'The list of keys',
    chunks: ['index.html', 'src/features/api-keys/list/ApiKeysPage.tsx'],
    kilobytes: 217,
    files: 14,
  },
  { name: 'The usage page', chunks: ['index.html', 'src/features/usage/UsagePage.tsx'], kilobytes: 226, files: 14 },
  { name: 'The text of the API docs', chunks: ['docs.html'], kilobytes: 5, files: 2 },
  { name: 'The API docs', chunks: ['docs.html', 'src/docs/reference.ts'], kilobytes: 270, files: 8 },
];

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

/** Fails if a visit loads more JavaScript than allowed, or in more files. Other pages are loaded when opened. */
function checkBundle() {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite', 'manifest.json'), 'utf8'));
  const kilobytesOf = (script) => statSync(path.join(dist, `${script}.br`)).size / 1000;
  for (const { name, chunks, ...limits } of visits) {
    const scripts = [...scriptsOf(manifest, chunks)];
    const kilobytes = scripts.reduce((sum, script) => sum + kilobytesOf(script), 0);
    for (const script of scripts) console.log(`${kilobytesOf(script).toFixed(1).padStart(8)} kB  ${script}`);
    console.log(
      `${name} loads ${kilobytes.toFixed(1)} of ${limits.kilobytes} kB of JavaScript (Brotli), in ${scripts.length} of ${limits.files} files.`,
    );
    if (kilobytes > limits.kilobytes)
      throw new StepError(`${name} loads too much JavaScript: import what isn't needed there lazily.`);
    if (scripts.length > limits.files)
      throw new StepError(`${name} loads too many files: add what pages share to a group of dashboard/chunks.ts.`);
  }
}

await step(checkBundle);

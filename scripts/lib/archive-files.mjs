import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { filesBelow } from './fingerprint.mjs';

/** What runs, and what operators read. */
const shipped = [
  '.env.example',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'dashboard/dist',
  'deploy',
  'dist',
  'docs',
  'node_modules',
  'openapi.json',
  'package.json',
  'scripts/admin.mjs',
];

/** Removes everything from a checkout but what an archive ships, and what its documents link to. */
export function keepShipped(folder) {
  removeOthers(folder, withLinked(folder));
}

function withLinked(folder) {
  const kept = new Set(shipped);
  const isKept = (file) => [...kept].some((one) => file === one || file.startsWith(`${one}/`));
  const documents = shipped
    .filter((one) => one !== 'node_modules' && existsSync(path.join(folder, one)))
    .flatMap((one) =>
      statSync(path.join(folder, one)).isDirectory()
        ? filesBelow(path.join(folder, one)).map((file) => path.posix.join(one, file))
        : [one],
    )
    .filter((file) => file.endsWith('.md'));
  for (const document of documents) {
    for (const target of linksOf(folder, document)) {
      if (isKept(target) || !existsSync(path.join(folder, target))) continue;
      kept.add(target);
      if (target.endsWith('.md')) documents.push(target);
    }
  }
  return [...kept];
}

/** Returns the files that a document links to, relative to the folder. */
function linksOf(folder, document) {
  const links = readFileSync(path.join(folder, document), 'utf8').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g);
  return [...links]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(document), target));
}

function removeOthers(folder, kept, parent = '') {
  for (const entry of readdirSync(path.join(folder, parent))) {
    const file = path.posix.join(parent, entry);
    if (kept.includes(file)) continue;
    if (kept.some((one) => one.startsWith(`${file}/`))) removeOthers(folder, kept, file);
    else rmSync(path.join(folder, file), { recursive: true });
  }
}

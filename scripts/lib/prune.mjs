import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { filesBelow } from './fingerprint.mjs';

/** Packages that remain because an optional peer dependency names them, and that Keycard doesn't use when it runs. */
const unusedPackages = ['typescript'];

/** Type declarations and source maps. */
const unusedFiles = /\.(d\.[cm]?ts|[cm]?js\.map|ts\.map|css\.map)$/;

/**
 * Leaves in node_modules only what the built service needs on this platform.
 *
 * @param folder a built checkout that is only run from here on: its package.json changes
 */
export function prune(folder) {
  const npm = (...argv) => execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  mergeManifests(folder);
  npm('prune', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error');
  const modules = path.join(folder, 'node_modules');
  const remove = (file) => rmSync(path.join(modules, file), { recursive: true, force: true });
  for (const name of unusedPackages) remove(name);
  removeOtherPlatforms(path.join(modules, 'onnxruntime-node', 'bin'));
  for (const file of filesBelow(modules)) if (unusedFiles.test(file)) remove(file);
}

/** The packages of document-reader/ become the service's; packages of the other workspaces are needed only to build. */
function mergeManifests(folder) {
  const read = (name) => JSON.parse(readFileSync(path.join(folder, name, 'package.json'), 'utf8'));
  const manifest = read('.');
  const { dependencies } = read('document-reader');
  Object.assign(manifest.dependencies, dependencies);
  // npm leaves out packages that are also for development.
  for (const name of Object.keys(dependencies)) delete manifest.devDependencies[name];
  delete manifest.workspaces;
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** onnxruntime-node has its libraries for every platform, in bin/napi-VERSION/PLATFORM/ARCHITECTURE. */
function removeOtherPlatforms(bin) {
  for (const version of readdirSync(bin)) keepOnly(path.join(bin, version), process.platform, process.arch);
}

function keepOnly(folder, kept, ...deeper) {
  for (const entry of readdirSync(folder)) {
    if (entry !== kept) rmSync(path.join(folder, entry), { recursive: true });
    else if (deeper.length > 0) keepOnly(path.join(folder, entry), ...deeper);
  }
}

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { compile } from './compile.mjs';
import { filesBelow, fingerprint, readMark } from './fingerprint.mjs';
import { projectFolder } from './project.mjs';

const dist = path.join(projectFolder, 'dist');
const distMark = path.join(dist, '.keycard-built');
const all = path.join(projectFolder, 'build');
const allMark = path.join(all, '.keycard-built');
const compiled = path.join(all, 'service');
const buildInfo = path.join(all, '.tsbuildinfo');
const toolchainMark = path.join(all, '.keycard-toolchain');
const bundler = path.join('scripts', 'lib', 'bundle.mjs');
const nest = path.join(projectFolder, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** Whether dist/ is up to date. */
export function isBuilt() {
  return readMark(distMark) === sourcesFingerprint();
}

/** Builds dist/, from what was compiled for the tests if that is up to date: it's the same. */
export async function build() {
  const sources = sourcesFingerprint();
  const isCompiled = isAllBuilt();
  if (!isCompiled) {
    rmSync(compiled, { recursive: true, force: true });
    await compile('building', [nest, 'build']);
  }
  // In a separate process: `npm start` then becomes the service, which would keep the bundler's memory.
  await compile('bundling', [bundler, isCompiled ? all : compiled, dist]);
  writeFileSync(distMark, sources);
}

function sourcesFingerprint() {
  return fingerprint(projectFolder, [...toolchainFiles(), bundler, ...serviceSources()]);
}

function serviceSources() {
  return ['src', path.join('document-reader', 'src')]
    .flatMap((folder) => filesBelow(path.join(projectFolder, folder)).map((file) => path.join(folder, file)))
    .filter((file) => !file.endsWith('.spec.ts'));
}

function toolchainFiles() {
  const isConfiguration = (file) => /^tsconfig.*\.json$/.test(file) || file === 'nest-cli.json';
  return [...readdirSync(projectFolder).filter(isConfiguration).sort(), 'package.json', 'package-lock.json'];
}

/** Whether build/ is up to date. */
export function isAllBuilt() {
  return readMark(allMark) === markOf(allSourcesFingerprint()) && !isOutputMissing();
}

/** Builds build/ (sources, tests and tools) incrementally. */
export async function buildAll() {
  const sources = allSourcesFingerprint();
  const toolchain = fingerprint(projectFolder, toolchainFiles());
  if (readMark(toolchainMark) !== toolchain) rmSync(all, { recursive: true, force: true });
  else removeOrphans();
  // The compiler doesn't notice missing outputs itself.
  if (isOutputMissing()) rmSync(buildInfo, { force: true });
  await compile('building sources and tests', [nest, 'build', '-p', 'tsconfig.all.json']);
  writeFileSync(toolchainMark, toolchain);
  writeFileSync(allMark, markOf(sources));
}

function allSourcesFingerprint() {
  const folders = ['src', 'document-reader', 'test', 'scripts', 'bench', path.join('dashboard', 'src')];
  const folderSources = folders.flatMap((folder) => scriptsBelow(folder));
  // The image is built without it.
  const sources = [...readdirSync(projectFolder).filter((file) => file === 'ormconfig.ts'), ...folderSources];
  return fingerprint(projectFolder, [...toolchainFiles(), ...sources]);
}

/** Includes what the compiler knows of its last run, which may have been without this script and with other sources. */
function markOf(sources) {
  return `${sources}\n${readMark(buildInfo)}`;
}

function removeOrphans() {
  for (const output of outputs()) {
    if (existsSync(path.join(projectFolder, output.replace(/\.js$/, '.ts')))) continue;
    rmSync(path.join(all, output), { force: true });
    rmSync(path.join(all, `${output}.map`), { force: true });
  }
}

function isOutputMissing() {
  const known = new Set(outputs());
  return ['src', 'document-reader', 'test']
    .flatMap((folder) => scriptsBelow(folder))
    .some((file) => !file.endsWith('.d.ts') && !known.has(file.replace(/\.ts$/, '.js')));
}

function outputs() {
  const isSeparate = (file) => /^(service|unit)[\\/]/.test(file);
  return filesBelow(all).filter((file) => file.endsWith('.js') && !isSeparate(file));
}

function scriptsBelow(folder) {
  const files = filesBelow(path.join(projectFolder, folder)).map((file) => path.join(folder, file));
  return files.filter((file) => /\.tsx?$/.test(file));
}

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { compile } from './compile.mjs';
import { filesBelow, fingerprint, readMark } from './fingerprint.mjs';
import { projectFolder } from './project.mjs';

const dist = path.join(projectFolder, 'dist');
const distMark = path.join(dist, '.keycard-built');
const nest = path.join(projectFolder, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** Whether dist/ is up to date. */
export function isBuilt() {
  return readMark(distMark) === sourcesFingerprint();
}

/** Builds dist/ from scratch, so that outputs of removed sources disappear. */
export async function build() {
  const sources = sourcesFingerprint();
  rmSync(dist, { recursive: true, force: true });
  await compile('building', [nest, 'build']);
  writeFileSync(distMark, sources);
}

function sourcesFingerprint() {
  const sources = filesBelow(path.join(projectFolder, 'src'))
    .filter((file) => !file.endsWith('.spec.ts'))
    .map((file) => path.join('src', file));
  return fingerprint(projectFolder, [...toolchainFiles(), ...sources]);
}

function toolchainFiles() {
  const isConfiguration = (file) => /^tsconfig.*\.json$/.test(file) || file === 'nest-cli.json';
  return [...readdirSync(projectFolder).filter(isConfiguration).sort(), 'package.json', 'package-lock.json'];
}

/** Builds build/ (sources, tests and tools) incrementally. */
export async function buildAll() {
  const all = path.join(projectFolder, 'build');
  const mark = path.join(all, '.keycard-toolchain');
  const toolchain = fingerprint(projectFolder, toolchainFiles());
  if (readMark(mark) !== toolchain) rmSync(all, { recursive: true, force: true });
  else removeOrphans(all);
  await compile('building sources and tests', [nest, 'build', '-p', 'tsconfig.all.json']);
  writeFileSync(mark, toolchain);
}

/** Removes outputs of removed sources, and makes the compiler write missing outputs, which it doesn't notice itself. */
function removeOrphans(all) {
  const isUnit = (file) => file.startsWith(`unit${path.sep}`);
  const outputs = filesBelow(all).filter((file) => file.endsWith('.js') && !isUnit(file));
  for (const output of outputs) {
    if (existsSync(path.join(projectFolder, output.replace(/\.js$/, '.ts')))) continue;
    rmSync(path.join(all, output), { force: true });
    rmSync(path.join(all, `${output}.map`), { force: true });
  }
  const known = new Set(outputs);
  const isOutputMissing = ['src', 'test'].some((folder) =>
    filesBelow(path.join(projectFolder, folder))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .some((file) => !known.has(path.join(folder, file.replace(/\.ts$/, '.js')))),
  );
  if (isOutputMissing) rmSync(path.join(all, '.tsbuildinfo'), { force: true });
}

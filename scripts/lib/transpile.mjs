import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { filesBelow, fingerprint, readMark } from './fingerprint.mjs';
import { projectFolder, withProgress } from './project.mjs';

const target = path.join(projectFolder, 'build', 'unit');
const mark = path.join(target, '.keycard-toolchain');
const roots = ['src', 'test', path.join('dashboard', 'src')];

/** Compiles changed sources to build/unit without checking types, which takes a second instead of half a minute. */
export async function transpile() {
  const toolchain = fingerprint(projectFolder, ['tsconfig.json', 'package-lock.json', 'scripts/lib/transpile.mjs']);
  if (readMark(mark) !== toolchain) rmSync(target, { recursive: true, force: true });
  const sources = roots.flatMap((root) =>
    filesBelow(path.join(projectFolder, root)).map((file) => path.join(root, file)),
  );
  const scripts = sources.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  removeOrphans(new Set(scripts.map(outputOf)));
  const stale = scripts.filter(
    (file) => modificationTime(outputOf(file)) !== modificationTime(path.join(projectFolder, file)),
  );
  if (stale.length > 0) await withProgress('transpiling', () => transpileAll(stale));
  writeFileSync(mark, toolchain);
}

async function transpileAll(files) {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(path.join(projectFolder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, projectFolder);
  const compilerOptions = { ...options, module: ts.ModuleKind.ESNext, sourceMap: false };
  for (const file of files) {
    const source = path.join(projectFolder, file);
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), { compilerOptions, fileName: source });
    const output = outputOf(file);
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, withoutAliases(outputText, output, options.paths));
    // Marks which version was compiled. Also detects checkouts that restore older files.
    const { atime, mtime } = statSync(source);
    utimesSync(output, atime, mtime);
  }
}

/** Makes imports such as `@rules/email-address.js` relative, as `nest build` does. */
function withoutAliases(text, output, aliases = {}) {
  return Object.entries(aliases).reduce((changed, [alias, [folder]]) => {
    const relative = path.relative(path.dirname(output), path.join(target, folder.replace('*', '')));
    return changed.replaceAll(`from '${alias.replace('*', '')}`, `from '${relative}/`);
  }, text);
}

function removeOrphans(expected) {
  for (const file of filesBelow(target)) {
    const output = path.join(target, file);
    if (file.endsWith('.js') && !expected.has(output)) rmSync(output, { force: true });
  }
}

function outputOf(file) {
  return path.join(target, file.replace(/\.ts$/, '.js'));
}

/** In milliseconds, undefined for a missing file. */
function modificationTime(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtime.getTime();
}

import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Checkout } from './checkout.js';

const output = 'build/src/main.js';
/** Few declarations, which compile quickly. */
const compilerOptions = {
  module: 'nodenext',
  lib: ['ES5'],
  types: [],
  rootDir: '.',
  outDir: './build',
  tsBuildInfoFile: './build/.tsbuildinfo',
  incremental: true,
  sourceMap: true,
};
let checkout: Checkout;

beforeEach(async () => {
  checkout = await Checkout.copy(['nest-cli.json'], (file) => !file.endsWith('.ts'));
  await checkout.write('tsconfig.all.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  const options = { ...compilerOptions, outDir: './build/service', incremental: false };
  await checkout.write('tsconfig.build.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
  await checkout.write('src/main.ts', 'export const version = 1;\n');
});
afterEach(() => checkout.remove());

/** Builds sources and tests as `npm test` does. */
function buildIfStale(): { status: number | null; hasBuilt: boolean } {
  const { status, stdout } = checkout.run(`
    import { buildAll, isAllBuilt } from './build.mjs';
    import { step } from './project.mjs';
    if (!isAllBuilt()) await step(buildAll);
  `);
  return { status, hasBuilt: stdout.includes('keycard: building sources and tests') };
}

const compile = () => {
  const argv = [path.resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.all.json'];
  return spawnSync(process.execPath, argv, { cwd: checkout.pathOf('.') }).status;
};
const readOutput = () => readFile(checkout.pathOf(output), 'utf8');

describe('Building sources and tests', () => {
  it('should happen once, and again after a failure or change, after the compiler ran, or if an output is missing', async () => {
    await checkout.write('src/main.ts', 'const = 1;\n');
    expect(buildIfStale()).toEqual({ status: 1, hasBuilt: true });
    await checkout.write('src/main.ts', 'export const version = 1;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: false });
    await checkout.write('src/main.ts', 'export const version = 2;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 2');
    // The sources are the same as in the last build, but the outputs aren't.
    await checkout.write('src/main.ts', 'export const version = 3;\n');
    expect(compile()).toBe(0);
    await checkout.write('src/main.ts', 'export const version = 2;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 2');
    await rm(checkout.pathOf(output));
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 2');
  });
});

describe('Building the service', () => {
  /** Whether that compiled the sources. */
  const build = () => {
    const { stdout } = checkout.run(`
      import { build } from './build.mjs';
      await build();
    `);
    return stdout.includes('keycard: building');
  };
  const readBundle = (file: string) => readFile(checkout.pathOf(`dist/${file}`), 'utf8');
  const readBundles = () => Promise.all([readBundle('main.js'), readBundle('main.js.map')]);

  it('should return the same files, with their URLs and sources, whether or not sources and tests are built', async () => {
    await checkout.write('src/a/b.ts', 'export const url = (import.meta as unknown as { url: string }).url;\n');
    await checkout.write('src/main.ts', `import { url } from './a/b.js';\n\nthrow new Error(url);\n`);
    await checkout.write('dist/removed.js', '');
    expect(build()).toBe(true);
    await expect(readBundle('removed.js')).rejects.toThrow('ENOENT');
    const compiled = await readBundles();
    const argv = ['--enable-source-maps', checkout.pathOf('dist/main.js')];
    const { stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect(stderr).toContain(`Error: ${pathToFileURL(checkout.pathOf('dist/a/b.js')).href}\n`);
    expect(stderr).toContain(`${checkout.pathOf('src/main.ts')}:3`);
    buildIfStale();
    expect(build()).toBe(false);
    expect(await readBundles()).toEqual(compiled);
  });
});

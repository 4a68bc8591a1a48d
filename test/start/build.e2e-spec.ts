import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
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
  await checkout.write('tsconfig.all.json', JSON.stringify({ compilerOptions, include: ['src', 'ormconfig.ts'] }));
  const options = { ...compilerOptions, rootDir: './src', outDir: './dist', incremental: false };
  await checkout.write('tsconfig.build.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
  await checkout.write('ormconfig.ts', 'export {};\n');
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
  it('should happen once, and again after a change or if an output is missing', async () => {
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: false });
    await checkout.write('src/main.ts', 'export const version = 2;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 2');
    await rm(checkout.pathOf(output));
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 2');
  });

  it('should happen again after a failure, and after the compiler ran on other sources', async () => {
    await checkout.write('src/main.ts', 'const = 1;\n');
    expect(buildIfStale()).toEqual({ status: 1, hasBuilt: true });
    await checkout.write('src/main.ts', 'export const version = 1;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    await checkout.write('src/main.ts', 'export const version = 2;\n');
    expect(compile()).toBe(0);
    await checkout.write('src/main.ts', 'export const version = 1;\n');
    expect(buildIfStale()).toEqual({ status: 0, hasBuilt: true });
    expect(await readOutput()).toContain('version = 1');
  });
});

describe('Building the service', () => {
  it('should return the same files whether or not sources and tests are built', async () => {
    const build = () => {
      const { stdout } = checkout.run(`
        import { build } from './build.mjs';
        await build();
      `);
      return stdout.includes('keycard: building');
    };
    const read = () =>
      Promise.all(['main.js', 'a/b.js', 'a/b.js.map'].map((file) => readFile(checkout.pathOf(`dist/${file}`), 'utf8')));
    await checkout.write('src/a/b.ts', 'export const deep = true;\n');
    expect(build()).toBe(true);
    const compiled = await read();
    buildIfStale();
    expect(build()).toBe(false);
    expect(await read()).toEqual(compiled);
  });
});

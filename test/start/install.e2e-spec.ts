import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import { Checkout } from './checkout.js';

const packages = ['server', 'interface', 'reader', 'builder', 'tester'];
/** Manifests and lock files of both versions. */
let versions: Checkout;
let checkout: Checkout;

/** Runs npm in this folder. */
const npm = (folder: string, ...argv: string[]) =>
  execFileSync('npm', [...argv, '--no-audit', '--no-fund', '--silent'], { cwd: folder });
const installed = () => packages.filter((name) => existsSync(checkout.pathOf(`node_modules/${name}`)));

async function prepare(version: string): Promise<void> {
  const write = (file: string, content: object) => versions.write(`${version}/${file}`, JSON.stringify(content));
  for (const name of packages) await write(`packages/${name}/package.json`, { name, version });
  npm(versions.pathOf(version), 'pack', ...packages.map((name) => `./packages/${name}`));
  const archive = (name: string, from = '.') => ({ [name]: `file:${from}/${name}-${version}.tgz` });
  await write('package.json', {
    name: 'keycard',
    workspaces: ['dashboard', 'document-reader', 'scripts'],
    dependencies: archive('server'),
    devDependencies: archive('tester'),
  });
  await write('dashboard/package.json', { name: 'dashboard', dependencies: archive('interface', '..') });
  await write('document-reader/package.json', { name: 'document-reader', dependencies: archive('reader', '..') });
  await write('scripts/package.json', { name: 'scripts', type: 'module', dependencies: archive('builder', '..') });
  npm(versions.pathOf(version), 'install', '--package-lock-only');
}

/** Writes the manifests and the lock file as `git pull` does. */
const pull = (version: string) => cp(versions.pathOf(version), checkout.pathOf('.'), { recursive: true });

beforeAll(async () => {
  versions = await Checkout.copy([]);
  for (const version of ['1.0.0', '2.0.0']) await prepare(version);
});
afterAll(() => versions.remove());

/** A fresh clone with one package of each kind. */
beforeEach(async () => {
  checkout = await Checkout.copy([]);
  await rm(checkout.pathOf('node_modules'));
  await pull('1.0.0');
});
afterEach(() => checkout.remove());

/** Installs like `npm start` (service) or `npm test` (all), and returns whether anything had to be installed. */
function installIfNeeded(scope: 'service' | 'all'): boolean {
  const { status, stdout, stderr } = checkout.run(`
    import { install, isInstalled } from './install.mjs';
    import { step } from './project.mjs';
    if (!isInstalled('${scope}')) await step(() => install('${scope}'));
  `);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.includes('keycard: installing packages');
}

describe('npm start', () => {
  it('should install only what the service and the dashboard need, once, and again after a package changes', async () => {
    expect(installIfNeeded('service')).toBe(true);
    expect(installed()).toEqual(['server', 'interface', 'reader', 'builder']);
    expect(installIfNeeded('service')).toBe(false);
    await pull('2.0.0');
    expect(installIfNeeded('service')).toBe(true);
    expect(installed()).toEqual(['server', 'interface', 'reader', 'builder']);
  });

  it('should keep what npm install installed, even after a package changes', async () => {
    npm(checkout.pathOf('.'), 'install');
    expect(installIfNeeded('service')).toBe(false);
    await pull('2.0.0');
    expect(installIfNeeded('service')).toBe(true);
    expect(installed()).toEqual(packages);
    expect(installIfNeeded('all')).toBe(false);
  });
});

describe('npm test', () => {
  it('should install the development packages, once', () => {
    npm(checkout.pathOf('.'), 'install', '--omit=dev');
    expect(installIfNeeded('service')).toBe(false);
    expect(installIfNeeded('all')).toBe(true);
    expect(installed()).toEqual(packages);
    expect(installIfNeeded('all')).toBe(false);
    expect(installIfNeeded('service')).toBe(false);
  });
});

describe('package-lock.json', () => {
  it('should have the packages of workspaces at the top level, where built tests find them', async () => {
    const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: object };
    expect(Object.keys(locked).filter((folder) => /^(dashboard|document-reader|scripts)\//.test(folder))).toEqual([]);
  });
});

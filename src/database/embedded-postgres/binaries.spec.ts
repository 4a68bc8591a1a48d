import { mkdirSync, mkdtempSync, readlinkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartupError } from '../../common/startup-error.js';
import { copyPackage, findPackage, hydrateSymlinks } from './binaries.js';

let folder: string;
let packageRoot: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keycard-test-'));
  packageRoot = path.join(folder, 'package');
  mkdirSync(path.join(packageRoot, 'native', 'bin'), { recursive: true });
  mkdirSync(path.join(packageRoot, 'native', 'lib'));
  const symlinks = [
    { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
    { source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' },
  ];
  writeFileSync(path.join(packageRoot, 'package.json'), '{"version":"18.4.0"}');
  writeFileSync(path.join(packageRoot, 'native', 'pg-symlinks.json'), JSON.stringify(symlinks));
  writeFileSync(path.join(packageRoot, 'native', 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  writeFileSync(path.join(packageRoot, 'native', 'bin', 'postgres'), 'program', { mode: 0o700 });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('hydrateSymlinks', () => {
  it("should create the symlinks that npm can't pack, any number of times", () => {
    hydrateSymlinks(packageRoot);
    hydrateSymlinks(packageRoot);
    expect(readlinkSync(path.join(packageRoot, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(readFileSync(path.join(packageRoot, 'native', 'lib', 'libpq.so'), 'utf8')).toBe('library');
  });
});

describe('copyPackage', () => {
  it('should create a copy with symlinks that every user can read', async () => {
    const copy = await copyPackage(packageRoot, path.join(folder, 'copies'));
    expect(readFileSync(path.join(copy, 'native', 'lib', 'libpq.so'), 'utf8')).toBe('library');
    expect(statSync(path.join(copy, 'native', 'lib', 'libpq.so')).mode & 0o777).toBe(0o644);
    expect(statSync(path.join(copy, 'native', 'bin', 'postgres')).mode & 0o777).toBe(0o755);
    expect(statSync(copy).mode & 0o777).toBe(0o755);
  });

  it('should create one copy when two processes need it at the same time', async () => {
    const copies = path.join(folder, 'copies');
    const [first, second] = await Promise.all([copyPackage(packageRoot, copies), copyPackage(packageRoot, copies)]);
    expect(first).toBe(second);
    expect(readFileSync(path.join(first, 'native', 'bin', 'postgres'), 'utf8')).toBe('program');
  });
});

describe('findPackage', () => {
  it('should say what to set if there are no binaries for the platform', () => {
    expect(() => findPackage('win32', 'x64')).toThrow(StartupError);
    expect(() => findPackage('win32', 'x64')).toThrow(/win32-x64.*DATABASE_URL/);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const identity = {
  GIT_AUTHOR_NAME: 'A tester',
  GIT_AUTHOR_EMAIL: 'tester@example.com',
  GIT_COMMITTER_NAME: 'A tester',
  GIT_COMMITTER_EMAIL: 'tester@example.com',
};
const copied = ['scripts/release.mjs', 'scripts/lib', 'package.json', 'package-lock.json', 'openapi.json', 'deploy'];
const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A feature.\n';

let folder: TemporaryFolder;
const git = (...argv: string[]) =>
  execFileSync('git', argv, { cwd: folder.path, encoding: 'utf8', env: { ...process.env, ...identity } }).trim();
const read = (file: string) => readFileSync(path.join(folder.path, file), 'utf8');
const versionIn = (file: string) => (JSON.parse(read(file)) as { version: string }).version;

function release(version: string) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', version, '--no-archive'], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, ...identity },
  });
  return { status, stderr };
}

beforeEach(async () => {
  folder = await makeTemporaryFolder();
  for (const file of copied) cpSync(file, path.join(folder.path, file), { recursive: true });
  writeFileSync(path.join(folder.path, 'CHANGELOG.md'), changelog);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A commit');
});
afterEach(() => folder.remove());

describe('npm run release', () => {
  it('should change the version everywhere, head the changelog, commit and tag', () => {
    expect(release('9.8.7')).toEqual({ status: 0, stderr: '' });
    expect([versionIn('package.json'), versionIn('package-lock.json')]).toEqual(['9.8.7', '9.8.7']);
    expect((JSON.parse(read('package-lock.json')) as { packages: object }).packages).toMatchObject({
      '': { version: '9.8.7' },
    });
    expect(JSON.parse(read('openapi.json'))).toMatchObject({ info: { version: '9.8.7' } });
    for (const file of ['backup.yaml', 'deployment.yaml']) {
      expect(read(`deploy/kubernetes/${file}`)).toMatch(/^ *image: .*\/keycard:9\.8\.7$/m);
    }
    expect(read('CHANGELOG.md')).toMatch(/\n## \[Unreleased\]\n\n## \[9\.8\.7\] - \d{4}-\d\d-\d\d\n\n### Added\n/);
    expect([git('status', '--porcelain'), git('describe'), git('log', '-1', '--format=%s')]).toEqual([
      '',
      'v9.8.7',
      'chore(release): 9.8.7',
    ]);
  });

  it('should refuse uncommitted changes, an earlier version, and a release without changes, and change nothing', () => {
    expect(release('0.0.1').stderr).toMatch(/^keycard: 0\.0\.1 is older than the current version, /);
    writeFileSync(path.join(folder.path, 'new'), '');
    expect(release('9.8.7')).toEqual({ status: 1, stderr: 'keycard: commit or stash your changes first.\n' });
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Another commit');
    expect(release('9.8.7').status).toBe(0);
    expect(release('9.8.8')).toEqual({
      status: 1,
      stderr: 'keycard: CHANGELOG.md lists no changes since the last release.\n',
    });
    expect(git('status', '--porcelain')).toBe('');
  });
});

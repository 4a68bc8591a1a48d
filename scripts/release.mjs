// `npm run release -- VERSION`: changes the version, heads the changelog, commits, tags, and writes the archive. Nothing is
// pushed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { projectFolder, step, StepError } from './lib/project.mjs';
import { run } from './lib/run.mjs';

const [version = '', ...options] = process.argv.slice(2);

await step(async () => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new StepError('use: npm run release -- VERSION, such as 0.2.0', 2);
  if (git('status', '--porcelain') !== '') throw new StepError('commit or stash your changes first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new StepError(`the tag v${version} exists.`);
  const previous = JSON.parse(read('package.json')).version;
  if (compare(version, previous) < 0) throw new StepError(`${version} is older than the current version, ${previous}.`);

  const date = new Date().toISOString().slice(0, 10);
  const changelog = addHeading(read('CHANGELOG.md'), `## [${version}] - ${date}`);
  edit('package.json', `"version": "${previous}"`, `"version": "${version}"`);
  for (let i = 0; i < 2; i += 1) edit('package-lock.json', `"version": "${previous}"`, `"version": "${version}"`);
  edit('openapi.json', `"version": "${previous}"`, `"version": "${version}"`);
  for (const file of ['backup.yaml', 'deployment.yaml']) {
    edit(`deploy/kubernetes/${file}`, `/keycard:${previous}`, `/keycard:${version}`);
  }
  write('CHANGELOG.md', changelog);
  git('commit', '--quiet', '--all', '--message', `chore(release): ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Keycard ${version}`);
  console.log(`keycard: committed and tagged v${version}. To publish: git push --follow-tags`);
  if (options.includes('--no-archive')) return;
  const exitCode = await run(process.execPath, [path.join('scripts', 'archive.mjs')]);
  if (exitCode !== 0) throw new StepError('the archive could not be written. Retry with: npm run archive', exitCode);
});

/** Moves what is unreleased below a heading for the release. */
function addHeading(changelog, heading) {
  const unreleased = '## [Unreleased]\n';
  const [before, after] = changelog.split(unreleased);
  if (after === undefined) throw new StepError('CHANGELOG.md has no heading "## [Unreleased]".');
  if (after.split('\n## [', 1)[0].trim() === '')
    throw new StepError('CHANGELOG.md lists no changes since the last release.');
  return `${before}${unreleased}\n${heading}\n${after}`;
}

function compare(left, right) {
  const difference = left.split('.').map((part, index) => Number(part) - Number(right.split('.')[index]));
  return difference.find((part) => part !== 0) ?? 0;
}

function edit(file, from, to) {
  if (!read(file).includes(from)) throw new StepError(`${file} doesn't contain ${from}.`);
  write(file, read(file).replace(from, to));
}

function read(file) {
  return readFileSync(path.join(projectFolder, file), 'utf8');
}

function write(file, content) {
  writeFileSync(path.join(projectFolder, file), content);
}

function git(...argv) {
  return execFileSync('git', argv, { cwd: projectFolder, encoding: 'utf8' }).trim();
}

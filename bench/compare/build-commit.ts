import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { TemporaryFolder } from '../../test/setup/temporary-folder.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { npmInstall, runCommand } from '../run-command.js';

/**
 * Checks out a commit into a temporary folder, installs its dependencies, and builds it.
 *
 * @param commit anything that git accepts, such as `HEAD~3` or `v1.2.0`
 * @returns the folder, and the commit's abbreviated hash and subject
 * @throws Error if git doesn't know the commit, or it can't be built
 */
export async function buildCommit(commit: string): Promise<TemporaryFolder & { description: string }> {
  const description = await describeCommit(commit);
  const folder = await makeBenchFolder();
  const target = path.join(folder.path, 'keycard');
  try {
    await runCommand('git', ['clone', '--quiet', '--no-checkout', process.cwd(), target]);
    const [hash = ''] = description.split(' ');
    await runCommand('git', ['checkout', '--quiet', '--detach', hash], target);
    console.log(`Installing and building ${description} …`);
    await install(target);
    await runCommand('npm', ['run', 'build'], target);
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return { ...folder, path: target, description };
}

/** Copies the packages if both commits have the same. */
async function install(target: string): Promise<void> {
  const [own, other] = [process.cwd(), target].map((folder) =>
    readFileSync(path.join(folder, 'package-lock.json'), 'utf8'),
  );
  if (own === other)
    await cp('node_modules', path.join(target, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  else await npmInstall(target);
}

async function describeCommit(commit: string): Promise<string> {
  try {
    return (await runCommand('git', ['show', '--no-patch', '--format=%h %s', `${commit}^{commit}`, '--'])).trim();
  } catch {
    throw new Error(`git doesn't know the commit ${commit}. Name one, as in: npm run bench -- compare HEAD~1`);
  }
}

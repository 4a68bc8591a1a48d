import path from 'node:path';
import type { TemporaryFolder } from '../../test/setup/temporary-folder.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { reasonOf } from '../reason.js';
import { npmInstall, runCommand } from '../run-command.js';

/**
 * Installs another version of Node from the npm registry into a temporary folder.
 *
 * @param version anything that npm accepts, such as `24` or `24.3.0`
 * @returns the path of its binary, and its version, such as `v24.3.0`
 * @throws Error if npm doesn't have the version for this platform
 */
export async function installNode(version: string): Promise<TemporaryFolder & { version: string }> {
  const folder = await makeBenchFolder();
  const name = packageOf(process.platform, process.arch);
  try {
    // Without a manifest, npm would install into a parent folder that has one.
    await runCommand('npm', ['init', '--yes'], folder.path);
    await npmInstall(folder.path, `${name}@${version}`);
    const binary = path.join(folder.path, 'node_modules', name, 'bin/node');
    return { ...folder, path: binary, version: (await runCommand(binary, ['--version'])).trim() };
  } catch (error) {
    await folder.remove();
    throw new Error(`Node ${version} can't be installed: ${reasonOf(error)}`, { cause: error });
  }
}

function packageOf(platform: string, architecture: string): string {
  const name = `${platform}-${architecture}`;
  // Newer versions for this platform have another name.
  return name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`;
}

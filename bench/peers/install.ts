import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TemporaryFolder } from '../../test/setup/temporary-folder.js';
import { makeBenchFolder } from '../data/bench-folder.js';

export const portkeyPackage = '@portkey-ai/gateway';
const betterAuthPackage = 'better-auth';

export const peerVersions = {
  [portkeyPackage]: '1.15.2',
  [betterAuthPackage]: '1.7.5',
  '@better-auth/api-key': '1.7.5',
} as const;

/** What the packages were released with. Newer ones don't fit together. */
const overrides = {
  '@hono/node-server': '1.13.8',
  hono: '4.9.7',
  '@better-auth/core': '1.7.5',
  '@better-auth/utils': '0.4.2',
  'better-call': '1.4.0',
};

/** Installs the peers from the npm registry in a temporary folder. */
export async function installPeers(): Promise<TemporaryFolder> {
  const folder = await makeBenchFolder();
  const manifest = { private: true, dependencies: peerVersions, overrides };
  writeFileSync(path.join(folder.path, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const installing = promisify(execFile)('npm', args, { cwd: folder.path });
  const onExit = () => installing.child.kill();
  process.once('exit', onExit);
  await installing;
  process.removeListener('exit', onExit);
  return folder;
}

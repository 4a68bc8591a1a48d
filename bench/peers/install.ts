import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeBenchFolder } from '../data/bench-folder.js';
import { npmInstall } from '../run-command.js';
import { reasonOf } from '../reason.js';

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

let installing: Promise<string | undefined> | undefined;

/**
 * Returns the temporary folder with the peers, which are installed from the npm registry when a section first needs them.
 * Undefined if that failed: they are left out.
 */
export function peersFolder(): Promise<string | undefined> {
  return (installing ??= installPeers());
}

async function installPeers(): Promise<string | undefined> {
  const folder = await makeBenchFolder();
  try {
    writeFileSync(
      path.join(folder.path, 'package.json'),
      JSON.stringify({ private: true, dependencies: peerVersions, overrides }),
    );
    await npmInstall(folder.path);
    return folder.path;
  } catch (error) {
    console.log(`Portkey and better-auth are left out, because they can't be installed: ${reasonOf(error)}`);
    return undefined;
  }
}

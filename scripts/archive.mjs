// `npm run archive`: writes release/keycard-VERSION-PLATFORM.tar.gz from the last commit, with a CycloneDX SBOM and checksums.
// The archive runs without a package registry, on machines of this platform.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { keepShipped } from './lib/archive-files.mjs';
import { projectFolder, step, withProgress } from './lib/project.mjs';
import { prune } from './lib/prune.mjs';

const output = path.join(projectFolder, 'release');
const workFolder = mkdtempSync(path.join(tmpdir(), 'keycard-release-'));

await step(async () => {
  try {
    await writeArchive();
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
});

async function writeArchive() {
  const { version } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  const name = `keycard-${version}-${process.platform}-${process.arch}`;
  const folder = path.join(workFolder, name);
  const inFolder = (program, ...argv) =>
    execFileSync(program, argv, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
    });

  mkdirSync(folder);
  mkdirSync(output, { recursive: true });
  const sources = execFileSync('git', ['archive', 'HEAD'], { cwd: projectFolder, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: sources });
  await withProgress('building the release', () => {
    inFolder(process.execPath, '-e', `import('./scripts/lib/start.mjs').then((start) => start.prepareService())`);
    prune(folder);
  });
  // From the lock file: npm refuses an installed tree in which it finds a package missing.
  const sbom = inFolder(
    'npm',
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  );
  writeFileSync(path.join(output, `${name}.cdx.json`), sbom);
  keepShipped(folder);
  writePackageFile(path.join(folder, 'package.json'));
  await withProgress('writing the archive', () =>
    execFileSync('tar', ['-czf', path.join(output, `${name}.tar.gz`), '-C', workFolder, name]),
  );
  const files = [`${name}.tar.gz`, `${name}.cdx.json`];
  writeFileSync(path.join(output, `${name}.sha256`), files.map((file) => `${checksum(file)}  ${file}\n`).join(''));
  console.log(`keycard: wrote release/${name}.tar.gz`);
}

/** `npm start` of a checkout would install and build. */
function writePackageFile(file) {
  const { name, version, description, license, type, engines, dependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const scripts = { start: 'exec node --max-semi-space-size=32 dist/main.js', admin: 'exec node scripts/admin.mjs' };
  const content = { name, version, description, private: true, license, type, engines, scripts, dependencies };
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

function checksum(file) {
  return createHash('sha256')
    .update(readFileSync(path.join(output, file)))
    .digest('hex');
}

import { execFile } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Logger } from '@nestjs/common';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { answerDescriptor } from './worker-messages.js';

/** How a worker process is started so that it can do little besides reading documents. */
export interface WorkerSandbox {
  /** Program and arguments before Node's own. */
  readonly command: readonly [program: string, ...rest: string[]];
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Permissions of Node's: reading the code and the language data, and nothing else. */
  readonly nodeFlags: readonly string[];
  /** What takes the place of descriptors from 4 on that the worker would inherit. */
  readonly descriptors: readonly number[];
  /** Protections that this machine does not provide, for the log. */
  readonly missing: readonly string[];
}

/** User and group of workers. Unassigned by distributions and systemd, and within the ids that containers have. */
export const workerUserId = 61_000;

/** `CAP_KILL`, `CAP_SETGID` and `CAP_SETUID`, as bits of `CapEff`. */
const identityCapabilities = 0b1110_0000n;
/** Inherited descriptors are older than any of the service's own, so they have low numbers. */
const mostInherited = 64;

const run = promisify(execFile);
const logger = new Logger('OCR');
let found: Promise<WorkerSandbox> | undefined;

/** The sandbox of this machine, which is looked for once. The log says what is missing. */
export function workerSandbox(entryFile: string): Promise<WorkerSandbox> {
  found ??= findWorkerSandbox(entryFile).then((sandbox) => {
    const missing = sandbox.missing.join('; ');
    if (missing !== '')
      logger.warn(`OCR workers are less isolated than they could be: ${missing}. See docs/security.md.`);
    return sandbox;
  });
  return found;
}

const require = createRequire(import.meta.url);

/**
 * Finds out what the machine provides; what it does not is left out and listed.
 *
 * @param entryFile the module that workers run
 */
export async function findWorkerSandbox(entryFile: string): Promise<WorkerSandbox> {
  const nodeFlags = permissionFlags();
  const descriptors = await hideInheritedDescriptors();
  const missing: string[] = [];
  for (const { command, identity } of candidates(missing)) {
    try {
      // Without the permissions, since `-e` is no file: whether that user can read what workers need.
      const [program, ...rest] = command;
      const check = `require('fs').accessSync(${JSON.stringify(entryFile)}); require(${JSON.stringify(require.resolve('sharp'))})`;
      await run(program, [...rest, '-e', check], { ...identity, cwd: '/', env: {}, timeout: 10_000 });
      return { command, identity, nodeFlags, descriptors, missing };
    } catch (error) {
      const [program] = command;
      const user = identity.uid === undefined ? '' : ` as user ${identity.uid}`;
      missing.push(`${path.basename(program)} cannot run${user} (${errorMessage(error).split('\n', 1)[0] ?? ''})`);
    }
  }
  return { command: [process.execPath], identity: {}, nodeFlags, descriptors, missing };
}

/** From the strictest on. */
function candidates(missing: string[]): Pick<WorkerSandbox, 'command' | 'identity'>[] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  const withSetpriv: WorkerSandbox['command'] | undefined =
    setpriv === undefined
      ? undefined
      : [
          setpriv,
          '--no-new-privs',
          // Unlike root's, capabilities of another user outlast a change of user.
          '--inh-caps=-all',
          '--ambient-caps=-all',
          '--',
          process.execPath,
        ];
  const identity = { uid: workerUserId, gid: workerUserId };
  const commands: WorkerSandbox['command'][] = [...(withSetpriv ? [withSetpriv] : []), [process.execPath]];
  if (withSetpriv === undefined) missing.push('setpriv is not installed');
  const separate = commands.filter((command) => isRoot() || (command === withSetpriv && canChangeIdentity()));
  if (separate.length === 0) missing.push('Keycard may not start processes as another user');
  return [
    ...separate.map((command) => ({ command, identity })),
    ...commands.map((command) => ({ command, identity: {} })),
  ];
}

const isRoot = () => process.getuid?.() === 0;

function canChangeIdentity(): boolean {
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${effective}`) & identityCapabilities) === identityCapabilities;
  } catch {
    return false;
  }
}

function permissionFlags(): string[] {
  // Node 20 knows the permission model as an experiment.
  const isStable = process.allowedNodeEnvironmentFlags.has('--permission');
  const readable = [...codeFolders()].flatMap((folder) => [`--allow-fs-read=${folder}/*`]);
  return [
    isStable ? '--permission' : '--experimental-permission',
    ...readable,
    // sharp is an addon, and a thread ends the worker when the service has gone.
    '--allow-addons',
    '--allow-worker',
    '--no-warnings',
  ];
}

/** The compiled code, and the folders of packages; not their parent, which may hold `DATA_DIR`. */
function codeFolders(): Set<string> {
  const here = fileURLToPath(import.meta.url);
  const root = projectRoot(path.dirname(here));
  const [compiled = ''] = path.relative(root, here).split(path.sep);
  const packages = ['sharp', '@hyzyla/pdfium', 'tesseract.js-core/package.json'].map(packagesFolderOf);
  return new Set([path.join(root, compiled), ...packages]);
}

function projectRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : projectRoot(path.dirname(folder));
}

/** The outermost `node_modules` in which a package is. */
function packagesFolderOf(name: string): string {
  const file = require.resolve(name);
  const folder = `${path.sep}node_modules${path.sep}`;
  return file.slice(0, file.indexOf(folder) + folder.length - 1);
}

/**
 * Node closes what it opens itself. What else is open was so when the service started, such as a lock of its shell: a
 * worker gets an empty file in the place of each.
 */
async function hideInheritedDescriptors(): Promise<number[]> {
  const closeOnExec = 0o2000000;
  const names = await readdir('/proc/self/fd').catch(() => []);
  let last = 0;
  for (const descriptor of names.map(Number).filter((number) => number < mostInherited)) {
    const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => '');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) last = Math.max(last, descriptor);
  }
  if (last <= answerDescriptor) return [];
  const empty = openSync(devNull, 'r');
  return Array.from({ length: last - answerDescriptor }, () => empty);
}

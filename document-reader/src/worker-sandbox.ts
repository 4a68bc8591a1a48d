import { execFile } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorMessage } from './error-message.js';
import { endFirst } from './oom-score.js';
import { responseDescriptor } from './worker-messages.js';

/** How to start a worker process with as few privileges as the machine allows. */
export interface WorkerSandbox {
  /** Program and arguments, up to Node itself. */
  readonly command: readonly [program: string, ...rest: string[]];
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** Node's permissions: reading the code and the language data only. */
  readonly nodeFlags: readonly string[];
  /** Replacements for the descriptors from 4 on that the worker would inherit. */
  readonly descriptors: readonly number[];
  /** Protections that the machine doesn't provide, each as a part of a sentence. */
  readonly missing: readonly string[];
}

export type OnReducedIsolation = (missing: readonly string[]) => void;

/** User and group of workers. Not assigned by distributions or systemd, and within the id range of containers. */
export const workerUserId = 61_000;

/** `CAP_KILL`, `CAP_SETGID` and `CAP_SETUID`, as bits of `CapEff`. */
const identityCapabilities = 0b1110_0000n;
/** Inherited descriptors were opened before any of this process, so they have low numbers. */
const maxInheritedDescriptors = 64;

const run = promisify(execFile);
let sandbox: Promise<WorkerSandbox> | undefined;

/**
 * Returns the machine's sandbox, which is determined once.
 *
 * @param onReducedIsolation called at that time with the protections that are missing
 */
export function workerSandbox(entryFile: string, onReducedIsolation: OnReducedIsolation): Promise<WorkerSandbox> {
  sandbox ??= findWorkerSandbox(entryFile).then((found) => {
    if (found.missing.length > 0) onReducedIsolation(found.missing);
    return found;
  });
  return sandbox;
}

const require = createRequire(import.meta.url);

/**
 * Determines which protections the machine provides.
 *
 * @param entryFile the module that workers run
 */
export async function findWorkerSandbox(entryFile: string): Promise<WorkerSandbox> {
  const nodeFlags = permissionFlags();
  const descriptors = await replaceInheritedDescriptors();
  const missing: string[] = [];
  for (const { command, identity } of candidates(missing)) {
    try {
      // Checks that this user can read what workers need. Without Node's permissions, which would reject `-e`.
      const [program, ...rest] = command;
      const check = `require('fs').accessSync(${JSON.stringify(entryFile)}); require(${JSON.stringify(require.resolve('sharp'))})`;
      await run(program, [...rest, '-e', check], { ...identity, cwd: '/', env: {}, timeout: 10_000 });
      return { command: endFirst(command), identity, nodeFlags, descriptors, missing };
    } catch (error) {
      const [program] = command;
      const user = identity.uid === undefined ? '' : ` as user ${identity.uid}`;
      missing.push(`${path.basename(program)} cannot run${user} (${errorMessage(error).split('\n', 1)[0] ?? ''})`);
    }
  }
  return { command: endFirst([process.execPath]), identity: {}, nodeFlags, descriptors, missing };
}

/** Returns the possible sandboxes, strictest first. */
function candidates(missing: string[]): Pick<WorkerSandbox, 'command' | 'identity'>[] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  const withSetpriv: WorkerSandbox['command'] | undefined =
    setpriv === undefined
      ? undefined
      : [
          setpriv,
          '--no-new-privs',
          // Unlike root's capabilities, a user's survive a change of user.
          '--inh-caps=-all',
          '--ambient-caps=-all',
          // Ends a worker with its parent, even one that is blocked in native code.
          '--pdeathsig=KILL',
          '--',
          process.execPath,
        ];
  const identity = { uid: workerUserId, gid: workerUserId };
  const commands: WorkerSandbox['command'][] = [...(withSetpriv ? [withSetpriv] : []), [process.execPath]];
  if (withSetpriv === undefined) missing.push('setpriv is not installed');
  const asOtherUser = commands.filter((command) => isRoot() || (command === withSetpriv && canChangeIdentity()));
  if (asOtherUser.length === 0) missing.push('this user is not allowed to start processes as another user');
  return [
    ...asOtherUser.map((command) => ({ command, identity })),
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
  // The permission model is experimental in Node 20.
  const isStable = process.allowedNodeEnvironmentFlags.has('--permission');
  const readable = [...codeFolders()].flatMap((folder) => [`--allow-fs-read=${folder}/*`]);
  return [
    isStable ? '--permission' : '--experimental-permission',
    ...readable,
    // sharp is an addon, and a thread ends the worker when its parent has exited.
    '--allow-addons',
    '--allow-worker',
    '--no-warnings',
  ];
}

/** Returns the folders of compiled code and packages, but not their parent, which may contain `DATA_DIR`. */
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

/** Returns the outermost `node_modules` folder that contains a package. */
function packagesFolderOf(name: string): string {
  const file = require.resolve(name);
  const folder = `${path.sep}node_modules${path.sep}`;
  return file.slice(0, file.indexOf(folder) + folder.length - 1);
}

/**
 * Node marks the descriptors that it opens as close-on-exec. Others were already open when this process started, such as a
 * lock file of its shell. Workers get an empty file in place of each.
 */
async function replaceInheritedDescriptors(): Promise<number[]> {
  const closeOnExec = 0o2000000;
  const names = await readdir('/proc/self/fd').catch(() => []);
  let last = 0;
  for (const descriptor of names.map(Number).filter((number) => number < maxInheritedDescriptors)) {
    const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => '');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) last = Math.max(last, descriptor);
  }
  if (last <= responseDescriptor) return [];
  const empty = openSync(devNull, 'r');
  return Array.from({ length: last - responseDescriptor }, () => empty);
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { copyBuildContext } from './build-context.js';
import { argumentsOf, environmentOf, readDockerfile, type Stage, textsOf } from './read-dockerfile.js';
import { addBase, inStage, isRoot } from './run-in-stage.js';

/** The last stage, with everything it copied. */
export interface ReplayedImage {
  stage: Stage;
  /** The folder that is `/` in the image. */
  root: string;
  /** Lines that weren't run, each with the reason. */
  skipped: string[];
}

/**
 * Replays the COPY and RUN lines of the Dockerfile, each stage in an empty folder. The programs of the base image are
 * those of this machine.
 */
export function replayImage(folder: string): ReplayedImage {
  const context = path.join(folder, 'context');
  copyBuildContext(context);
  const skipped: string[] = [];
  const roots = new Map<string | undefined, string>([[undefined, context]]);
  let image: Omit<ReplayedImage, 'skipped'> | undefined;
  for (const stage of readDockerfile('Dockerfile')) {
    const root = path.join(folder, `stage-${stage.name}`);
    mkdirSync(path.join(root, 'app'), { recursive: true });
    if (isRoot) addBase(root);
    for (const { name, text } of stage.instructions) {
      if (name === 'COPY') copy(text, root, roots);
      if (name === 'RUN' && !needsImage(text)) run(root, ['/bin/sh', '-c', text], environmentOf(stage));
      else if (name === 'RUN' && isRoot) run(root, inStage(root, ['/bin/sh', '-c', text], 'writable'), {});
      else if (name === 'RUN') skipped.push(`RUN ${text}: only root can replay it`);
    }
    for (const text of textsOf(stage, 'VOLUME')) mkdirSync(path.join(root, text), { recursive: true });
    roots.set(stage.name, root);
    image = { stage, root };
  }
  if (image === undefined) throw new Error('The Dockerfile has no stage.');
  return { ...image, skipped };
}

/** Whether a command changes more than the working directory. */
const needsImage = (command: string) => /\b(chown|groupadd|useradd)\b/.test(command);

/** Runs a command to its end; throws with its output if it fails. */
function run(root: string, [program = '', ...argv]: string[], environment: Record<string, string>): void {
  const options = { cwd: path.join(root, 'app'), env: { ...programEnvironment(), ...environment } };
  execFileSync(program, argv, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Without what npm and Jest have set for this test. Packages come from npm's cache where it has them. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const isOwn = (name: string) => !/^(npm_(?!config_cache$)|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$|JEST_)/.test(name);
  const inherited = Object.entries(process.env).filter(([name]) => isOwn(name));
  return { ...Object.fromEntries(inherited), npm_config_prefer_offline: 'true' };
}

/** Copies like COPY: of a folder, its content. Files of other stages are linked, because node_modules is large. */
function copy(text: string, root: string, roots: Map<string | undefined, string>): void {
  const [, from, files = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const origin = roots.get(from);
  if (origin === undefined) throw new Error(`COPY names the unknown stage ${from}.`);
  const paths = files.split(' ');
  const target = paths.pop() ?? '';
  const sources = paths.map((one) => path.join(origin, one));
  const isFolder = (file: string) => statSync(file).isDirectory();
  const destination = path.join(root, path.resolve('/app', target));
  const holdsSources = target.endsWith('/') || sources.some(isFolder);
  mkdirSync(holdsSources ? destination : path.dirname(destination), { recursive: true });
  const flags = from === undefined ? '-a' : '-al';
  for (const source of sources) execFileSync('cp', [flags, isFolder(source) ? `${source}/.` : source, destination]);
}

/** Returns how to start a program in the image with the given arguments, and its environment. */
export function programOf({ stage, root }: ReplayedImage, argv: string[], environment: Record<string, string>) {
  const own = environmentOf(stage);
  const all = { PATH: `${path.dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin`, ...own, ...environment };
  if (isRoot) return { command: inStage(root, argv, 'read-only'), environment: all, cwd: root };
  const mapped = (file = '') => (file.startsWith('/') ? path.join(root, file) : file);
  const DATA_DIR = mapped(own['DATA_DIR']);
  return { command: argv.map(mapped), environment: { ...all, DATA_DIR }, cwd: path.join(root, 'app') };
}

/** Returns the arguments that start the image. */
export const startOf = ({ stage }: ReplayedImage) => [
  ...argumentsOf(stage, 'ENTRYPOINT'),
  ...argumentsOf(stage, 'CMD'),
];

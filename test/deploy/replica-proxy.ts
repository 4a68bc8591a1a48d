import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';

interface Ports {
  own: number;
  replicas: readonly [number, number];
}

/** A proxy of deploy/ in front of two replicas on one machine. */
export interface ReplicaProxy {
  program: string;
  /** Its configuration with these ports, and other files in a folder that exists. */
  configuration: (ports: Ports, folder: string) => string;
  /** Checks a configuration. */
  check: (file: string) => string[];
  run: (file: string) => string[];
}

/** Returns files of deploy/, with replacements that must all occur. */
function read(files: string[], replacements: Record<string, string>): string {
  const content = files.map((file) => readFileSync(path.join('deploy', file), 'utf8')).join('\n');
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${files.join(' and ')} have no ${from}.`);
    return text.replaceAll(from, to);
  }, content);
}

/** Completes nginx files as the main configuration of a distribution does. */
export function completeNginx(content: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}`;
  return `${main} http { ${paths} ${content} }`;
}

export const replicaProxies: ReplicaProxy[] = [
  {
    program: 'nginx',
    check: (file) => ['-t', '-q', '-c', file, '-e', 'stderr'],
    run: (file) => ['-c', file, '-e', 'stderr'],
    configuration: ({ own, replicas: [one, other] }, folder) => {
      const replacements = {
        'listen 8080;': `listen 127.0.0.1:${own};`,
        '127.0.0.1:3000': `127.0.0.1:${one}`,
        '127.0.0.1:3001': `127.0.0.1:${other}`,
      };
      return completeNginx(read(['nginx/replicas.conf', 'nginx/keycard.conf'], replacements), folder);
    },
  },
  {
    program: 'haproxy',
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-f', file, '-db'],
    configuration: ({ own, replicas: [one, other] }) =>
      read(['haproxy/keycard.cfg'], {
        'bind :8080': `bind 127.0.0.1:${own}`,
        '127.0.0.1:3000': `127.0.0.1:${one}`,
        '127.0.0.1:3001': `127.0.0.1:${other}`,
      }),
  },
];

/** Starts a proxy that was found at this path, and waits until it forwards requests. */
export async function startReplicaProxy(program: string, { configuration, run }: ReplicaProxy, ports: Ports) {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'proxy.conf');
  await writeFile(file, configuration(ports, folder.path));
  const child = spawn(program, run(file), { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  let printed = '';
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  const url = `http://127.0.0.1:${ports.own}`;
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`${program} exited: ${printed}`);
    const response = await fetch(`${url}/health/live`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.ok === true;
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await folder.remove();
  };
  return { url, stop };
}

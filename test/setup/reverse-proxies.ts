import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { listenOnLastingPort } from './lasting-port.js';
import { makeTemporaryFolder } from './temporary-folder.js';
import { waitFor } from './wait-for.js';

/** What a configuration in docs/authorize.md is changed to use. */
interface Place {
  folder: string;
  port: number;
  /** Host and port of Keycard. */
  keycard: string;
  /** Host and port of the protected service. */
  service: string;
}

interface ReverseProxy {
  /** Heading in docs/authorize.md. */
  name: string;
  program: string;
  /** Whether its configuration forwards WebSockets. */
  forwardsWebSockets: boolean;
  /** The files of its configuration, by name. The first is passed to the program. */
  files: (place: Place) => Record<string, string>;
  args: (file: string) => string[];
}

export const reverseProxies: ReverseProxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    forwardsWebSockets: false,
    args: (file) => ['-c', file, '-e', 'stderr'],
    files: ({ folder, port, ...place }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
      const server = codeOf('nginx', 'nginx', { ...hostsOf(place), 'listen 80;': `listen 127.0.0.1:${port};` });
      const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}`;
      return { 'nginx.conf': `${main} http { access_log off; ${paths} ${server} }` };
    },
  },
  {
    name: 'Caddy',
    program: 'caddy',
    forwardsWebSockets: true,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    files: ({ port, ...place }) => {
      const site = codeOf('Caddy', 'caddyfile', {
        ...hostsOf(place),
        'search.example.com': `http://127.0.0.1:${port}`,
      });
      return { Caddyfile: `{\n  admin off\n  auto_https off\n}\n${site}` };
    },
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    forwardsWebSockets: true,
    args: (file) => ['-f', file, '-db'],
    files: ({ folder, port, ...place }) => {
      const socket = { 'abns@keycard': `abns@keycard-${port}` };
      return {
        'haproxy.cfg': codeOf('HAProxy', 'haproxy', {
          ...hostsOf(place),
          ...socket,
          'bind :80': `bind 127.0.0.1:${port}`,
          '/etc/haproxy': folder,
        }),
        'keycard.lua': codeOf('HAProxy', 'lua', socket),
      };
    },
  },
];

const hostsOf = ({ keycard, service }: Pick<Place, 'keycard' | 'service'>) => ({
  '127.0.0.1:3000': keycard,
  '127.0.0.1:8080': service,
});

/** The code blocks in a language below a heading of docs/authorize.md. */
export function codesOf(heading: string, language: string): string[] {
  const [, rest = ''] = readFileSync('docs/authorize.md', 'utf8').split(`\n### ${heading}\n`, 2);
  const [section = ''] = rest.split('\n### ', 1);
  const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, code = '']) => code);
}

/** The first of them, with replacements. */
function codeOf(heading: string, language: string, replacements: Record<string, string> = {}): string {
  const [code = ''] = codesOf(heading, language);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The configuration of ${heading} has no ${from}.`);
    return text.replaceAll(from, to);
  }, code);
}

const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

export function isInstalled({ program }: ReverseProxy): boolean {
  return environment.PATH.split(':').some((folder) => existsSync(path.join(folder, program)));
}

/** Starts a reverse proxy with its configuration from docs/authorize.md. */
export async function startReverseProxy({ files, program, args }: ReverseProxy, hosts: Omit<Place, 'folder' | 'port'>) {
  const folder = await makeTemporaryFolder();
  const port = await findPort();
  const contents = Object.entries(files({ ...hosts, port, folder: folder.path }));
  for (const [name, content] of contents) await writeFile(path.join(folder.path, name), content);
  const home = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const child = spawn(program, args(path.join(folder.path, contents[0]?.[0] ?? '')), {
    env: { ...environment, ...home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text: Buffer) => (printed += text.toString()));
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`${program} exited: ${printed}`);
    return isListening(port);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await folder.remove();
  };
  return { port, stop };
}

/** Returns a port on which nothing listens. */
export async function findPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLastingPort(server);
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { findPort } from '../setup/reverse-proxies.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runReplica } from '../start/replica.js';
import { RollingClient } from '../start/rolling-client.js';
import type { ServiceProcess } from '../start/service-process.js';
import { complaintsOf, findProgram } from './installed-program.js';
import { completeNginx, type ReplicaProxy, replicaProxies, startReplicaProxy } from './replica-proxy.js';

/** Owns the replicas' database and receives no requests. */
const owner = useTestApp();
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

const installed = replicaProxies.flatMap((proxy): [string, ReplicaProxy, string][] => {
  const program = findProgram(proxy.program);
  return program === undefined ? [] : [[proxy.program, proxy, program]];
});

async function startReplica(port: number): Promise<ServiceProcess> {
  // Longer than HAProxy takes to notice, which checks every second and believes the second failure.
  const replica = runReplica(owner, { PORT: String(port), DRAIN_SECONDS: '4', TRUST_PROXY: '1' });
  cleanups.push(async () => {
    replica.child.kill('SIGKILL');
    await replica.exited;
  });
  await replica.ready;
  return replica;
}

/** Writes a configuration and returns what the program says about it. */
async function check(program: string, { check: argv }: ReplicaProxy, write: (folder: string) => string) {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'proxy.conf');
  writeFileSync(file, write(folder.path));
  const complaints = complaintsOf(program, argv(file));
  await folder.remove();
  return complaints;
}

describe('deploy/nginx and deploy/haproxy', () => {
  for (const [name, proxy, program] of installed) {
    it(`should satisfy ${name}`, async () => {
      const ports = { own: 20_001, replicas: [20_002, 20_003] } as const;
      expect(await check(program, proxy, (folder) => proxy.configuration(ports, folder))).toBe('');
      expect(await check(program, proxy, () => 'misspelled;')).not.toBe('');
    });

    it(`should fail no request during a rolling restart of two replicas behind ${name}`, async () => {
      const { key } = await createApiKey(owner, await createMember(owner));
      const ports = { own: await findPort(), replicas: [await findPort(), await findPort()] } as const;
      const replicas = await Promise.all(ports.replicas.map((port) => startReplica(port)));
      const { url, stop } = await startReplicaProxy(program, proxy, ports);
      cleanups.push(stop);
      const clients = (['GET', 'GET', 'POST', 'POST'] as const).map(
        (method, index) => new RollingClient(url, key, new Agent({ keepAlive: index % 2 === 0 }), method),
      );
      cleanups.push(() => Promise.all(clients.map((client) => client.stop())));
      for (const [index, port] of ports.replicas.entries()) {
        replicas[index]?.child.kill('SIGTERM');
        expect(await replicas[index]?.exited).toBe(0);
        await startReplica(port);
      }
      await Promise.all(clients.map((client) => client.stop()));
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
      for (const { succeeded } of clients) expect(succeeded).toBeGreaterThan(10);
    });
  }

  const nginx = installed.find(([name]) => name === 'nginx');
  if (nginx !== undefined) {
    it('should satisfy nginx with the replicas of docker-compose.yml', async () => {
      const files = ['compose', 'keycard'].map((name) => readFileSync(`deploy/nginx/${name}.conf`, 'utf8')).join('\n');
      expect(await check(nginx[2], nginx[1], (folder) => completeNginx(files, folder))).toBe('');
    });
  }

  it('should never make nginx avoid a replica that was restarted', () => {
    const servers = readFileSync('deploy/nginx/replicas.conf', 'utf8').match(/^\s*server .*$/gm) ?? [];
    expect(servers).toHaveLength(2);
    for (const server of servers) expect(server).toContain(' max_fails=0;');
  });

  it("should overwrite the client's forwarded headers in HAProxy as in nginx", () => {
    const haproxy = readFileSync('deploy/haproxy/keycard.cfg', 'utf8');
    for (const name of ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto']) {
      expect(haproxy).toContain(`http-request set-header ${name} `);
    }
    expect(haproxy).toContain('http-request del-header Forwarded\n');
  });
});

import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../../../src/config/database-connection.js';
import { identityOf, serverUser } from '../../../src/database/embedded-postgres/server-user.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { findFreePort } from '../../processes/external-server.js';
import { PatroniNode, superuser } from './patroni-node.js';
import { findInstalled, findPostgresPrograms, Program } from './program.js';

const nodeCount = 3;
const owner = { user: 'keycard', password: 'keycard', database: 'keycard' };

interface Programs {
  etcd: string;
  patroni: string;
  haproxy: string;
  postgres: string;
}

/** Returns the programs that a cluster needs, or the names of those that aren't installed. */
export function findClusterPrograms(): Programs | string[] {
  const found = {
    etcd: findInstalled('etcd'),
    patroni: findInstalled('patroni'),
    haproxy: findInstalled('haproxy'),
    postgres: findPostgresPrograms(),
  };
  const missing = Object.entries(found).flatMap(([name, file]) => (file === undefined ? [name] : []));
  return missing.length > 0 ? missing : (found as Programs);
}

/** Three PostgreSQL servers that Patroni manages, with etcd, behind HAProxy. */
export class Cluster {
  private constructor(
    readonly etcd: Program,
    readonly nodes: readonly PatroniNode[],
    readonly proxy: Program,
    /** Leads to the primary. */
    readonly connection: DatabaseConnection,
  ) {}

  /** @param folder an empty one that other users can enter */
  static async start(folder: string, programs: Programs): Promise<Cluster> {
    const identity = identityOf(serverUser(folder));
    const data = path.join(folder, 'cluster');
    await mkdir(data);
    if (identity.uid !== undefined && identity.gid !== undefined) await chown(data, identity.uid, identity.gid);
    const [etcdPort, peerPort, proxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const etcd = new Program({
      command: programs.etcd,
      argv: etcdArguments(path.join(folder, 'etcd'), etcdPort, peerPort),
      log: path.join(folder, 'etcd.log'),
    });
    const nodes: PatroniNode[] = [];
    for (let number = 1; number <= nodeCount; number++) {
      const [postgresPort, restPort] = [await findFreePort(), await findFreePort()];
      const { patroni, postgres: postgresPrograms } = programs;
      const ports = { postgresPort, restPort, etcdPort };
      nodes.push(
        new PatroniNode({ name: `node${number}`, folder: data, ...ports, postgresPrograms, patroni, identity }),
      );
    }
    const proxyFile = path.join(folder, 'postgres-proxy.cfg');
    await writeFile(proxyFile, proxyConfiguration(proxyPort, nodes));
    const proxy = new Program({
      command: programs.haproxy,
      argv: ['-db', '-f', proxyFile],
      log: path.join(folder, 'haproxy.log'),
    });
    const connection = { host: '127.0.0.1', port: proxyPort, ...owner, ssl: false };
    const cluster = new Cluster(etcd, nodes, proxy, connection);
    try {
      await cluster.bootstrap();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The node that leads; undefined while there is none, or while several believe that they do. */
  async primary(): Promise<PatroniNode | undefined> {
    const roles = await Promise.all(this.nodes.map((node) => node.role()));
    const leading = this.nodes.filter((_node, place) => ['master', 'primary'].includes(roles[place] ?? ''));
    return leading.length === 1 ? leading[0] : undefined;
  }

  /** Whether a primary has a synchronous standby, and all nodes run. */
  async isHealthy(): Promise<boolean> {
    const roles = await Promise.all(this.nodes.map((node) => node.role()));
    const count = (wanted: string[]) => roles.filter((role) => wanted.includes(role ?? '')).length;
    return count(['master', 'primary']) === 1 && count(['sync_standby']) >= 1 && !roles.includes(undefined);
  }

  /** Moves the primary to another node, as for maintenance. */
  async switchOver(): Promise<void> {
    const primary = await this.primary();
    if (primary === undefined) return;
    await fetch(`http://127.0.0.1:${primary.settings.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.etcd.stop('SIGKILL');
    await this.proxy.stop('SIGKILL');
  }

  private async bootstrap(): Promise<void> {
    this.etcd.start();
    const [first, ...others] = this.nodes;
    await first?.start();
    await waitFor(async () => (await this.primary()) !== undefined);
    for (const node of others) await node.start();
    await waitFor(() => this.isHealthy());
    this.proxy.start();
    await waitFor(() => this.createDatabase());
  }

  private async createDatabase(): Promise<boolean> {
    const { user, password, database } = owner;
    const client = new pg.Client({ ...this.connection, ...superuser, database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`create role ${user} login password '${password}'`);
      await client.query(`create database ${database} owner ${user}`);
      return true;
    } catch {
      // HAProxy hasn't checked the nodes yet.
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function etcdArguments(folder: string, port: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    ...['--name', 'etcd1', '--data-dir', folder, '--log-level', 'error'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd1=${peer}`],
  ];
}

/** As `docs/scaling.md` shows it. */
function proxyConfiguration(port: number, nodes: readonly PatroniNode[]): string {
  const servers = nodes.map(
    ({ name, settings }) =>
      `    server ${name} 127.0.0.1:${settings.postgresPort} check port ${settings.restPort} on-marked-down shutdown-sessions`,
  );
  return [
    'defaults',
    '    mode tcp',
    '    timeout connect 2s',
    '    timeout client 30m',
    '    timeout server 30m',
    '    timeout check 2s',
    'listen postgres',
    `    bind 127.0.0.1:${port}`,
    '    option httpchk OPTIONS /primary',
    '    http-check expect status 200',
    '    default-server inter 1s fall 2 rise 1',
    ...servers,
    '',
  ].join('\n');
}

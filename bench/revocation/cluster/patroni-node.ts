import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitAtMost } from './wait-at-most.js';
import { descendantsOf, Program, type ProgramSettings } from './program.js';

export interface NodeSettings {
  readonly name: string;
  /** Owned by the user that PostgreSQL runs as. */
  readonly folder: string;
  readonly postgresPort: number;
  readonly restPort: number;
  readonly etcdPort: number;
  readonly postgresPrograms: string;
  readonly patroni: string;
  readonly identity: NonNullable<ProgramSettings['identity']>;
}

const diskMegabytes = 1024;

export const superuser = { user: 'postgres', password: 'postgres' };

/** Settings of the cluster, as `docs/scaling.md` shows them. */
const dynamicSettings = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 3,
  primary_start_timeout: 5,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, wal_log_hints: 'on', wal_keep_size: '64MB', fsync: 'off' },
  },
};

/** A PostgreSQL server with the Patroni that manages it. */
export class PatroniNode {
  private readonly manager: Program;
  /** Whether the node has a disk of its own, which only root can give it. */
  private hasDisk = false;

  constructor(readonly settings: NodeSettings) {
    const { patroni, folder, identity, name } = settings;
    const log = path.join(folder, `${name}.log`);
    this.manager = new Program({ command: patroni, argv: [this.configFile], log, identity });
    process.once('exit', () => this.leaveNothing());
  }

  get name(): string {
    return this.settings.name;
  }

  get dataFolder(): string {
    return path.join(this.disk, 'data');
  }

  /** Undefined while PostgreSQL isn't running. */
  get postmasterPid(): number | undefined {
    const file = path.join(this.dataFolder, 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return existsSync(`/proc/${pid}`) ? pid : undefined;
  }

  private get disk(): string {
    return path.join(this.settings.folder, this.name);
  }

  async start(): Promise<void> {
    await mkdir(this.disk);
    const { uid, gid } = this.settings.identity;
    if (uid !== undefined && gid !== undefined) {
      const options = `size=${diskMegabytes}m,uid=${uid},gid=${gid},mode=0700`;
      this.hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', this.disk]).status === 0;
      if (!this.hasDisk) await chown(this.disk, uid, gid);
    }
    await writeFile(this.configFile, JSON.stringify(this.config()), { mode: 0o644 });
    this.manager.start();
  }

  restart(): void {
    if (!this.manager.isRunning) this.manager.start();
  }

  signalManager(signal: NodeJS.Signals): void {
    this.manager.signal(signal);
  }

  /** Signals the postmaster only: its sessions live on. */
  signalPostmaster(signal: NodeJS.Signals): void {
    signalAll([this.postmasterPid ?? 0], signal);
  }

  /** Signals everything that runs on the node. */
  signalAll(signal: NodeJS.Signals): void {
    const { postmasterPid: pid = 0 } = this;
    this.manager.signal(signal);
    signalAll(pid === 0 ? [] : [pid, ...descendantsOf(pid)], signal);
  }

  /** @returns false if the node has no disk of its own */
  fillDisk(): boolean {
    if (this.hasDisk) spawnSync('dd', ['if=/dev/zero', `of=${this.filler}`, 'bs=1M']);
    return this.hasDisk;
  }

  async freeDisk(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  private get filler(): string {
    return path.join(this.disk, 'filler');
  }

  /** The role that Patroni reports, such as `master` and `sync_standby`; undefined if it doesn't respond. */
  async role(): Promise<string | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.settings.restPort}/patroni`, {
        signal: AbortSignal.timeout(1000),
      });
      const { role, state, sync_standby: isSynchronous } = (await response.json()) as Record<string, unknown>;
      if (state !== 'running') return undefined;
      if (isSynchronous === true) return 'sync_standby';
      return typeof role === 'string' ? role : undefined;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    const { postmasterPid: pid } = this;
    this.signalAll('SIGCONT');
    await this.manager.stop('SIGKILL');
    if (pid !== undefined) {
      signalAll([pid, ...descendantsOf(pid)], 'SIGKILL');
      await waitAtMost(10, () => !existsSync(`/proc/${pid}`));
    }
    this.leaveNothing();
  }

  private leaveNothing(): void {
    this.signalAll('SIGKILL');
    if (this.hasDisk) spawnSync('umount', ['--lazy', this.disk]);
    this.hasDisk = false;
  }

  private get configFile(): string {
    return path.join(this.settings.folder, `${this.settings.name}.yml`);
  }

  /** YAML includes JSON. */
  private config(): object {
    const { name, restPort, postgresPort, etcdPort, postgresPrograms, folder } = this.settings;
    const address = `127.0.0.1:${postgresPort}`;
    const rest = `127.0.0.1:${restPort}`;
    const roles = { superuser, replication: superuser, rewind: superuser };
    const authentication = Object.fromEntries(
      Object.entries(roles).map(([role, { user, password }]) => [role, { username: user, password }]),
    );
    return {
      scope: 'keycard',
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
      bootstrap: {
        dcs: dynamicSettings,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: this.dataFolder,
        bin_dir: postgresPrograms,
        pgpass: path.join(folder, `${name}.pgpass`),
        authentication,
        parameters: { unix_socket_directories: '' },
        // A node that can't be rewound gets a new copy.
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    };
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    if (pid <= 0) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
}

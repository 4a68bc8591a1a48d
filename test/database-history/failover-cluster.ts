import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { prepareServerHome } from '../../src/database/embedded-postgres/server-home.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/start-embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { startStandby, type Standby } from '../setup/standby.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { administrate } from '../setup/test-database.js';

/** A migrated primary with synchronous standbys, which can be promoted while the primary keeps running. */
export class FailoverCluster {
  private readonly folders: TemporaryFolder[] = [];
  readonly standbys: Standby[] = [];

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly server: EmbeddedPostgres,
  ) {}

  static async start(standbyCount = 1): Promise<FailoverCluster> {
    const folder = await makeTemporaryFolder();
    const server = await startEmbeddedPostgres(folder.path);
    await migrate(server.connection);
    const cluster = new FailoverCluster(folder, server);
    for (let number = 0; number < standbyCount; number++) await cluster.addStandby();
    // After the copies were made, so that they don't wait for standbys once they're promoted.
    await cluster.configure(`synchronous_standby_names = '*'`);
    return cluster;
  }

  get primary(): DatabaseConnection {
    return this.server.connection;
  }

  /** Makes a standby a primary of its own timeline. The old primary doesn't notice. */
  async promote({ connection }: Pick<Standby, 'connection'>): Promise<void> {
    await administrate(connection, 'select pg_promote()');
  }

  /** Lets the old primary confirm commits without a standby, as if it had got another one. */
  async confirmAlone(): Promise<void> {
    await this.configure(`synchronous_standby_names = ''`);
  }

  /** Stops the postmaster of the primary, and nothing else: its sessions live on. */
  stopPostmaster(): void {
    process.kill(this.readPostmasterPid(), 'SIGSTOP');
  }

  continuePostmaster(): void {
    process.kill(this.readPostmasterPid(), 'SIGCONT');
  }

  async stop(): Promise<void> {
    for (const standby of this.standbys) await standby.stop();
    await this.server.stop();
    for (const folder of [this.folder, ...this.folders]) await folder.remove();
  }

  private async addStandby(): Promise<void> {
    const folder = await makeTemporaryFolder();
    this.folders.push(folder);
    const source = { dataDirectory: this.folder.path, connection: this.server.connection };
    this.standbys.push(await startStandby(source, folder.path, '0'));
  }

  private async configure(setting: string): Promise<void> {
    await administrate(this.server.connection, `alter system set ${setting}`);
    await administrate(this.server.connection, 'select pg_reload_conf()');
  }

  private readPostmasterPid(): number {
    const { cluster } = prepareServerHome(this.folder.path);
    const [pid] = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { waitFor } from '../../test/setup/wait-for.js';
import type { Replicas, Response } from './replicas.js';
import type { Secret, Secrets } from './secrets.js';
import type { Traffic } from './traffic.js';

const administratorPassword = 'correct horse battery';

const pauseMilliseconds = 10;
const minLiveSecrets = 200;

/** Creates, rotates and deletes keys, and has each revoked secret used on every replica immediately. */
export class Administrator {
  private token = '';
  deletions = 0;
  rotations = 0;

  constructor(
    private readonly database: DatabaseConnection,
    private readonly replicas: Replicas,
    private readonly secrets: Secrets,
    private readonly traffic: Traffic,
  ) {}

  async signIn(): Promise<void> {
    const credentials = { email: 'admin@keycard.local', password: administratorPassword };
    const { text } = await this.replicas.call('POST /auth/sign-in', undefined, credentials);
    this.token = (JSON.parse(text) as { accessToken: string }).accessToken;
  }

  /** Changes one key after another until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const secret = this.secrets.liveCount < minLiveSecrets ? undefined : this.secrets.takeLive();
      if (secret === undefined) await this.create();
      else if (Math.random() < 0.5) await this.delete(secret);
      else await this.rotate(secret);
      await delay(pauseMilliseconds);
    }
  }

  private async create(): Promise<void> {
    const response = await this.call('POST /api-keys', { name: 'Checked' });
    if (response?.status !== 201) return;
    const keyId = response.location.replace('/api-keys/', '');
    this.secrets.add(keyId, (JSON.parse(response.text) as { key: string }).key);
  }

  private async rotate(secret: Secret): Promise<void> {
    const response = await this.call(`POST /api-keys/${secret.keyId}/rotate`, { gracePeriodSeconds: 0 });
    // Without a response, no one knows which secret is valid.
    if (response?.status !== 200) return this.delete(secret);
    this.secrets.markRevoked(secret);
    this.rotations += 1;
    this.secrets.add(secret.keyId, (JSON.parse(response.text) as { key: string }).key);
    await this.traffic.useEverywhere(secret);
  }

  /** Repeats the deletion until a replica confirms it. */
  private async delete(secret: Secret): Promise<void> {
    await waitFor(async () => {
      const response = await this.call(`DELETE /api-keys/${secret.keyId}`);
      if (response === undefined) await delay(pauseMilliseconds);
      return response?.status === 200 || response?.status === 404;
    });
    this.secrets.markRevoked(secret);
    this.deletions += 1;
    await this.traffic.useEverywhere(secret);
  }

  /** A user may create and rotate only some hundred keys in 15 minutes. */
  private async forgetRateLimits(): Promise<void> {
    const client = new pg.Client(this.database);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('delete from rate_limits').finally(() => client.end());
  }

  /** @returns undefined if no replica could respond */
  private async call(route: string, body?: object): Promise<Response | undefined> {
    const response = await this.replicas.call(route, this.token, body).catch(() => undefined);
    if (response === undefined || response.status === 503) return undefined;
    if (response.status === 429) {
      await this.forgetRateLimits().catch(() => undefined);
      return undefined;
    }
    if (![200, 201, 404].includes(response.status)) {
      throw new Error(`${route} returned ${response.status}: ${response.text}`);
    }
    return response;
  }
}

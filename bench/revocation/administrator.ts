import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import type { Replicas, Response } from './replicas.js';
import type { Secret, Secrets } from './secrets.js';
import type { Traffic } from './traffic.js';

const administratorPassword = 'correct horse battery';

const pauseMilliseconds = 10;
const minLiveSecrets = 200;

/** How long a key that expires is valid. */
const validMilliseconds = 500;

/** Creates, rotates, disables, expires and deletes keys, and has each revoked secret used on every replica immediately. */
export class Administrator {
  private token = '';
  private isOver = () => false;
  readonly counts = { deletions: 0, rotations: 0, disabled: 0, expired: 0 };

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
    this.isOver = isOver;
    while (!isOver()) {
      const secret = this.secrets.liveCount < minLiveSecrets ? undefined : this.secrets.takeLive();
      if (secret === undefined) await this.create();
      else await this.revoke(secret);
      await delay(pauseMilliseconds);
    }
  }

  /** @returns undefined if no replica could create it now */
  async createKey(body: object): Promise<Pick<Secret, 'keyId' | 'value'> | undefined> {
    const response = await this.call('POST /api-keys', body);
    if (response?.status !== 201) return undefined;
    const keyId = response.location.replace('/api-keys/', '');
    return { keyId, value: (JSON.parse(response.text) as { key: string }).key };
  }

  private async create(): Promise<void> {
    const created = await this.createKey({ name: 'Checked' });
    if (created !== undefined) this.secrets.add(created.keyId, created.value);
  }

  private revoke(secret: Secret): Promise<void> {
    const kind = Math.random();
    if (kind < 0.4) return this.delete(secret);
    if (kind < 0.8) return this.rotate(secret);
    return kind < 0.9 ? this.disable(secret) : this.expire(secret);
  }

  private async disable(secret: Secret): Promise<void> {
    const response = await this.call(`PATCH /api-keys/${secret.keyId}`, { enabled: false });
    if (response?.status !== 200) return this.delete(secret);
    this.counts.disabled += 1;
    await this.finish(secret);
  }

  private async expire(secret: Secret): Promise<void> {
    const expiresAt = Date.now() + validMilliseconds;
    const response = await this.call(`PATCH /api-keys/${secret.keyId}`, { expiresAt: new Date(expiresAt) });
    // A request that waited for a failover gets 400, because the time has passed.
    if (response?.status !== 200) return this.delete(secret);
    while (Date.now() <= expiresAt) await delay(validMilliseconds);
    this.counts.expired += 1;
    await this.finish(secret);
  }

  /** From now on, no replica may accept the secret. */
  private async finish(secret: Secret): Promise<void> {
    this.secrets.markRevoked(secret);
    await this.traffic.useEverywhere(secret);
  }

  private async rotate(secret: Secret): Promise<void> {
    const response = await this.call(`POST /api-keys/${secret.keyId}/rotate`, { gracePeriodSeconds: 0 });
    // Without a response, no one knows which secret is valid.
    if (response?.status !== 200) return this.delete(secret);
    this.counts.rotations += 1;
    this.secrets.add(secret.keyId, (JSON.parse(response.text) as { key: string }).key);
    await this.finish(secret);
  }

  /** Repeats the deletion until a replica responds. */
  private async delete(secret: Secret): Promise<void> {
    let status: number | undefined;
    while (status === undefined && !this.isOver()) {
      status = (await this.call(`DELETE /api-keys/${secret.keyId}`))?.status;
      if (status === undefined) await delay(pauseMilliseconds);
    }
    // Only a 200 promises anything: an earlier attempt without a response may not be confirmed yet.
    if (status !== 200) return;
    this.counts.deletions += 1;
    await this.finish(secret);
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
    if (![200, 201, 400, 404].includes(response.status)) {
      throw new Error(`${route} returned ${response.status}: ${response.text}`);
    }
    return response;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Replicas } from './replicas.js';
import type { Secret, Secrets } from './secrets.js';

const pauseMilliseconds = 20;

/** The kinds of requests, each with its share. */
const kinds = [
  { share: 0.5, route: 'GET /v1/models', body: undefined },
  { share: 0.25, route: 'GET /v1/authorize', body: undefined },
  { share: 0.25, route: 'POST /v1/embeddings', body: { model: 'mock', input: 'red apples' } },
] as const;

/** How requests have ended. */
export interface Counts {
  accepted: number;
  rejected: number;
  /** With 503, or without a response, while a replica or the database was down. */
  unserved: number;
  /** Accepted although the secret was already revoked when the request was sent. */
  acceptedRevoked: number;
  /** Rejected although the secret was live until the response arrived. */
  rejectedLive: number;
}

/** Sends requests with live and revoked secrets, and counts how they end. */
export class Traffic {
  readonly counts: Counts = { accepted: 0, rejected: 0, unserved: 0, acceptedRevoked: 0, rejectedLive: 0 };

  constructor(
    private readonly replicas: Replicas,
    private readonly secrets: Secrets,
    /** Whether a model `mock` is served. */
    private readonly hasModel = false,
  ) {}

  /** Embeddings that clients have received, by key. */
  readonly embeddings = new Map<string, number>();

  /** Sends one request after another until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const secret = this.secrets.choose();
      const wasServed = secret !== undefined && (await this.use(secret));
      if (!wasServed) await delay(pauseMilliseconds);
    }
  }

  /** Sends a request with the secret to every replica. */
  async useEverywhere(secret: Secret): Promise<void> {
    await Promise.all(this.replicas.urls.map((url) => this.use(secret, url)));
  }

  /**
   * Sends a request with the secret.
   *
   * @param url of a replica; one at random by default
   * @returns whether the replica said if it accepts the secret
   */
  async use(secret: Secret, url?: string): Promise<boolean> {
    const wasRevoked = secret.state === 'revoked';
    // A replica that was just killed, and one that hasn't reached the database, accept nothing.
    const { route, body } = this.chooseKind();
    const response = await this.replicas.call(route, secret.value, body, url).catch(() => undefined);
    if (response === undefined || [502, 503].includes(response.status)) {
      this.counts.unserved += 1;
      return false;
    }
    switch (response.status) {
      case 200:
      case 204:
        if (body !== undefined) this.embeddings.set(secret.keyId, (this.embeddings.get(secret.keyId) ?? 0) + 1);
        this.counts.accepted += 1;
        if (wasRevoked) this.counts.acceptedRevoked += 1;
        return true;
      case 401:
      case 403:
        this.counts.rejected += 1;
        if (secret.state === 'live') this.counts.rejectedLive += 1;
        return true;
      default:
        throw new Error(`${route} returned ${response.status}: ${response.text}`);
    }
  }

  private chooseKind(): (typeof kinds)[number] {
    let left = this.hasModel ? Math.random() : 0;
    return kinds.find(({ share }) => (left -= share) < 0) ?? kinds[0];
  }
}

/** An API key's secret, as the administrators know it. */
export interface Secret {
  readonly keyId: string;
  readonly value: string;
  /**
   * - `live`: must be accepted
   * - `revoking`: a deletion or rotation has been sent, and its response hasn't arrived
   * - `revoked`: the response has arrived; from now on, no replica may accept it
   */
  state: 'live' | 'revoking' | 'revoked';
}

/** Enough that a secret is used several times a second, before and after it is revoked. */
const maxRemembered = 400;

/** The secrets that requests choose from. */
export class Secrets {
  /** Secrets to use, live and revoked ones in about equal numbers. */
  private readonly remembered: Secret[] = [];
  /** All revoked secrets, for the final check. */
  readonly revoked: Secret[] = [];

  get liveCount(): number {
    return this.remembered.filter(({ state }) => state === 'live').length;
  }

  add(keyId: string, value: string): void {
    this.remembered.push({ keyId, value, state: 'live' });
  }

  /** A secret at random; undefined before the first one was added. */
  choose(): Secret | undefined {
    return chooseFrom(this.remembered);
  }

  /** A random live secret, which no one else revokes at the same time. */
  takeLive(): Secret | undefined {
    const secret = chooseFrom(this.remembered.filter(({ state }) => state === 'live'));
    if (secret !== undefined) secret.state = 'revoking';
    return secret;
  }

  /** Forgets everything, because the database was replaced by an earlier state. */
  forgetAll(): void {
    for (const secret of [...this.remembered, ...this.revoked]) secret.state = 'revoking';
    this.remembered.length = 0;
    this.revoked.length = 0;
  }

  /** Forgets the oldest revoked secret, so that recent ones are used often. */
  markRevoked(secret: Secret): void {
    secret.state = 'revoked';
    this.revoked.push(secret);
    if (this.remembered.length <= maxRemembered) return;
    const oldest = this.remembered.findIndex(({ state }) => state === 'revoked');
    this.remembered.splice(oldest, 1);
  }
}

function chooseFrom<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

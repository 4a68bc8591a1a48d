import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Keeps what a provider issues in memory. */
export function createAdapterFactory(): AdapterFactory {
  const payloads = new Map<string, AdapterPayload>();
  return (model) => new TestAdapter(`${model} `, payloads);
}

class TestAdapter implements Adapter {
  /** @param prefix of one model's keys; all models share the map, since a grant refers to several */
  constructor(
    private readonly prefix: string,
    private readonly payloads: Map<string, AdapterPayload>,
  ) {}

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.payloads.set(this.prefix + id, payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.payloads.get(this.prefix + id));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findBy((payload) => payload.uid === uid);
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.findBy((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  destroy(id: string): Promise<void> {
    this.payloads.delete(this.prefix + id);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.payloads) if (payload.grantId === grantId) this.payloads.delete(key);
    return Promise.resolve();
  }

  private findBy(fits: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> {
    const own = [...this.payloads].filter(([key]) => key.startsWith(this.prefix));
    return Promise.resolve(own.find(([, payload]) => fits(payload))?.[1]);
  }
}

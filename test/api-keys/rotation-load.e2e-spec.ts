import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { observeEnd } from '../setup/observe-end.js';
import { useReplicas } from '../setup/use-test-app.js';

const workerCount = 20;
const rotationCount = 24;

/** A secret and what is guaranteed about it: nothing while a rotation that revokes it is in progress. */
interface Secret {
  key: string;
  promise: 'accepted' | 'rejected' | 'none';
}

interface Observations {
  accepted: number;
  rejected: number;
  brokenPromises: string[];
}

describe('Rotating a key with two replicas under load', () => {
  const replicas = useReplicas();
  let member: Member;
  let apiKey: CreatedKey;

  beforeAll(async () => {
    const [first] = replicas;
    member = await createMember(first);
    apiKey = await createApiKey(first, member);
  });

  const replicaUrl = (number: number) => replicas[number % replicas.length]?.url ?? '';

  async function rotate(number: number, gracePeriodSeconds: number): Promise<string> {
    const route = `POST /api-keys/${apiKey.id}/rotate`;
    const response = await call(replicaUrl(number), route, { token: member.token, body: { gracePeriodSeconds } });
    expect(response.status).toBe(200);
    return (response.body as { key: string }).key;
  }

  /** Sends a request with the secret and records a broken guarantee, if it held throughout. */
  async function use(secret: Secret, number: number, seen: Observations): Promise<void> {
    const { promise } = secret;
    const { status } = await call(replicaUrl(number), 'GET /v1/models', { token: secret.key });
    if (status === 200) seen.accepted++;
    else seen.rejected++;
    const kept = { accepted: status === 200 || secret.promise !== 'accepted', rejected: status === 401, none: true };
    if (!kept[promise]) seen.brokenPromises.push(`promised: ${promise}, status: ${status}`);
  }

  it('should accept each new secret once it is returned, and reject each old one once it is revoked', async () => {
    const secrets: Secret[] = [{ key: apiKey.key, promise: 'accepted' }];
    const seen: Observations = { accepted: 0, rejected: 0, brokenPromises: [] };
    let isOver = false;
    const work = async (worker: number) => {
      for (let round = worker; !isOver; round++) {
        // Only the latest three secrets change state.
        const secret = secrets.at(-1 - (round % Math.min(3, secrets.length)));
        if (secret !== undefined) await use(secret, round, seen);
      }
    };
    const workers = Array.from({ length: workerCount }, (_, worker) => work(worker));

    try {
      for (let rotation = 0; rotation < rotationCount; rotation++) {
        const hasGrace = rotation % 3 !== 0;
        const ending = secrets.slice(0, hasGrace ? -1 : undefined);
        for (const secret of ending) if (secret.promise === 'accepted') secret.promise = 'none';
        const key = await rotate(rotation, hasGrace ? 600 : 0);
        for (const secret of ending) secret.promise = 'rejected';
        const fresh: Secret = { key, promise: 'accepted' };
        secrets.push(fresh);
        // Both replicas, as soon as the rotation returns.
        await Promise.all(secrets.slice(-3).flatMap((secret) => [0, 1].map((number) => use(secret, number, seen))));
      }
    } finally {
      isOver = true;
    }
    await Promise.all(workers);
    expect(seen.brokenPromises).toEqual([]);
    expect(seen.accepted).toBeGreaterThan(rotationCount);
    expect(seen.rejected).toBeGreaterThan(rotationCount);
  });

  it('should reject the old secret from the millisecond its grace period ends', async () => {
    const old = await rotate(0, 0);
    let isOver = false;
    const statuses = new Set<number>();
    const work = async (number: number, key: string) => {
      while (!isOver) statuses.add((await call(replicaUrl(number), 'GET /v1/models', { token: key })).status);
    };
    const fresh = await rotate(1, 1);
    const workers = Array.from({ length: workerCount }, (_, number) => work(number, fresh));
    const [row] = await replicas[0].query<{ end: Date }>('select previous_secret_expires_at as end from api_keys');
    const observed = await observeEnd(replicas, old, row?.end ?? new Date(NaN)).finally(() => (isOver = true));
    await Promise.all(workers);
    expect(observed).toEqual({ acceptedLate: 0, rejectedEarly: 0 });
    expect([...statuses]).toEqual([200]);
  });
});

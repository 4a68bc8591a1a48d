import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useReplicas } from '../setup/use-test-app.js';

const workerCount = 50;
const keyCount = 20;

/** Times of confirmed deletions and outcomes of requests. */
interface Observations {
  deletedAt: Map<string, number>;
  accepted: number;
  acceptedAfterDeletion: string[];
  rejectedBeforeDeletion: string[];
  /** Status and body of responses other than 200 and 401. */
  otherResponses: Set<string>;
}

describe('Deleting keys with two replicas under load', () => {
  const replicas = useReplicas();
  let member: Member;
  let keys: CreatedKey[];

  beforeAll(async () => {
    const [first] = replicas;
    member = await createMember(first);
    keys = await Promise.all(Array.from({ length: keyCount }, () => createApiKey(first, member)));
  });

  const replica = (number: number) => replicas[number % replicas.length]?.url ?? '';

  /** Sends requests with random keys to both replicas until `isOver`. */
  async function sendRequests(worker: number, state: Observations, isOver: () => boolean): Promise<void> {
    for (let round = 0; !isOver(); round++) {
      const { id, key } = keys[(worker * 7 + round) % keyCount] ?? { id: '', key: '' };
      const wasDeleted = state.deletedAt.has(id);
      const startedDeletions = deletionsStarted.has(id);
      const { status, text } = await call(replica(worker + round), 'GET /v1/models', { token: key });
      if (status === 200) {
        state.accepted++;
        if (wasDeleted) state.acceptedAfterDeletion.push(id);
      } else if (status === 401) {
        if (!startedDeletions && !deletionsStarted.has(id)) state.rejectedBeforeDeletion.push(id);
      } else state.otherResponses.add(`${status} ${text}`);
    }
  }

  const deletionsStarted = new Set<string>();

  it('should reject every request that starts after the deletion returned, on both replicas', async () => {
    const state: Observations = {
      deletedAt: new Map(),
      accepted: 0,
      acceptedAfterDeletion: [],
      rejectedBeforeDeletion: [],
      otherResponses: new Set(),
    };
    let isOver = false;
    const workers = Array.from({ length: workerCount }, (_, worker) => sendRequests(worker, state, () => isOver));
    try {
      for (const [index, { id, key }] of keys.entries()) {
        deletionsStarted.add(id);
        const response = await call(replica(index), `DELETE /api-keys/${id}`, { token: member.token });
        expect(response.status).toBe(200);
        state.deletedAt.set(id, performance.now());
        // Both replicas, as soon as the deletion returns.
        const statuses = await Promise.all([0, 1, 2, 3].map((n) => call(replica(n), 'GET /v1/models', { token: key })));
        expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      }
    } finally {
      isOver = true;
    }
    await Promise.all(workers);

    expect(state.accepted).toBeGreaterThan(keyCount);
    expect(state.acceptedAfterDeletion).toEqual([]);
    expect(state.rejectedBeforeDeletion).toEqual([]);
    expect([...state.otherResponses]).toEqual([]);
  });
});

import fc from 'fast-check';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { assertOutcomes } from '../setup/assert-outcomes.js';
import { useTestApp } from '../setup/use-test-app.js';
import { Comparison, type Environment } from './model/comparison.js';
import { connectTo, holdClock, ModelReplica } from './model/model-replica.js';
import { someRound } from './model/steps.js';

/** What must have happened before the comparison is complete. */
const outcomes = [
  ...['rejected on arrival', 'not limited', 'reserved', 'lowered', 'waiting', 'exceeded', 'busy'],
  ...['reserved after waiting', 'lowered after waiting', 'exceeded after waiting'],
  ...['requests', 'tokens', 'cost', 'concurrency'].map((metric) => `exceeded: ${metric}`),
  ...['requests', 'tokens', 'cost', 'concurrency'].map((metric) => `exceeded: ${metric} of models`),
  ...['another attempt reserved', 'another attempt rejected', 'released', 'abandoned'],
  ...['unknown usage', 'refunded', 'killed', 'renewed after it had expired'],
  ...['ended after its hold expired', 'ended after its hold outlived its period'],
  ...['raise', 'lower', 'increase', 'remove', 'added', 'added again', 'moved to another time zone'],
];
/** Long enough for every request to be decided, however busy the machine is. */
const forever = 3600;
const waitSeconds = [forever, forever, 0];

const service = useTestApp();
let environment: Environment;

beforeAll(async () => {
  const member = await createMember(service);
  const [a, b] = [await createApiKey(service, member), await createApiKey(service, member)];
  const setClock = await holdClock(service);
  const replicas = waitSeconds.map((seconds) => new ModelReplica(service, seconds));
  environment = {
    connection: connectTo(service),
    organizationId: member.organizationId,
    keys: { a, b },
    replicas,
    setClock,
    replace: async (index) => {
      const [killed] = replicas.splice(index, 1, new ModelReplica(service, waitSeconds[index] ?? 0));
      await killed?.close();
    },
    seen: new Set(),
  };
});
afterAll(async () => {
  await Promise.all(environment.replicas.map((replica) => replica.close()));
  await environment.connection.close();
});

describe('Three replicas', () => {
  it('should decide, charge and reserve like the model, operation by operation, until everything has happened', async () => {
    const property = fc.asyncProperty(someRound, async (round) => {
      const comparison = await Comparison.start(environment, round);
      for (const step of round.steps) await comparison.run(step);
      await comparison.finish();
    });
    const { seen } = environment;
    await assertOutcomes(property, { outcomes, seen, minRuns: 20, maxRuns: 200, endOnFailure: true });
  }, 600_000);
});

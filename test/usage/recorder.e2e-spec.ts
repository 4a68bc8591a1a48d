import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import type { ServiceConfig } from '../../src/config/service-config.js';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { UsageRecorderService } from '../../src/usage/usage-recorder.service.js';
import type { UsageFact } from '../../src/usage/write-usage.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { blockUsage, isRecorderBlocked, isRecorderBusy, readRecordedUsage } from '../setup/recorded-usage.js';
import { waitFor } from '../setup/wait-for.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let recorder: UsageRecorderService;
let member: Member;
let key: CreatedKey;

beforeAll(() => {
  recorder = service.app.get(UsageRecorderService);
});
beforeEach(async () => {
  member = await createMember(service);
  key = await createApiKey(service, member);
});

const fact = (fields: Partial<UsageFact> = {}): UsageFact => ({
  organizationId: member.organizationId,
  apiKeyId: key.id,
  model: 'some-model',
  outcome: 'success',
  inputTokens: 3,
  pages: 2,
  milliseconds: 10,
  ...fields,
});
const recorded = async (id = key.id) => (await readRecordedUsage(service, [id])).get(id);
const lastUse = async (id = key.id) => {
  const [row] = await service.query<{ last: string | null }>(
    'select last_used_at as last from api_keys where id = $1',
    [id],
  );
  return row?.last;
};
const newRecorder = () =>
  new UsageRecorderService(
    { database: service.database, models: [] as ServiceConfig['models'] } as ServiceConfig,
    service.app.get(DatabaseHistory),
  );

describe('The usage recorder', () => {
  it('should resolve only after the commit', async () => {
    await recorder.record(fact());
    expect(await recorded()).toEqual({ requests: 1, failures: 0, inputTokens: 3, pages: 2 });
  });

  it('should keep one row per key, model, hour and duration', async () => {
    await Promise.all(Array.from({ length: 500 }, () => recorder.record(fact())));
    for (let number = 0; number < 10; number++) await recorder.record(fact());
    const rows = await service.query<{ requests: string }>('select requests from usage where api_key_id = $1', [
      key.id,
    ]);
    // Two if the hour ended in between.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(await recorded()).toEqual({ requests: 510, failures: 0, inputTokens: 1530, pages: 1020 });
  });

  it('should lose and duplicate nothing with several replicas and deletions', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => createApiKey(service, member)));
    const replicas = [newRecorder(), newRecorder(), newRecorder()];
    const someFact = fc.record({
      key: fc.nat({ max: keys.length - 1 }),
      model: fc.constantFrom('a', 'b', 'B', 'ä', "o'brien", 'a"b\\c'),
      milliseconds: fc.constantFrom(1, 10, 100),
      inputTokens: fc.nat({ max: 1000 }),
      outcome: fc.constantFrom<UsageFact['outcome'][]>('success', 'failure'),
    });
    const waves = fc.sample(fc.array(someFact, { minLength: 50, maxLength: 50 }), { numRuns: 90 });
    const expected = new Map(keys.map(({ id }) => [id, { requests: 0, failures: 0, inputTokens: 0, pages: 0 }]));

    const write = async (replica: UsageRecorderService, index: number) => {
      for (const wave of waves.filter((_, number) => number % replicas.length === index)) {
        await Promise.all(
          wave.map(async ({ key: number, ...fields }) => {
            const apiKeyId = keys[number]?.id ?? '';
            await replica.record(fact({ ...fields, apiKeyId, pages: 1 }));
            const sums = expected.get(apiKeyId);
            if (sums === undefined) return;
            sums.requests += 1;
            sums.failures += fields.outcome === 'failure' ? 1 : 0;
            sums.inputTokens += fields.inputTokens;
            sums.pages += 1;
          }),
        );
      }
    };
    const remove = async () => {
      for (const { id } of keys.slice(6)) await call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
    };
    await Promise.all([...replicas.map(write), remove()]);
    await Promise.all(replicas.map((replica) => replica.onApplicationShutdown()));
    const ids = keys.map(({ id }) => id);
    expect(await readRecordedUsage(service, ids)).toEqual(expected);
  });

  it("should update a key's last use at most once a second", async () => {
    expect(await lastUse()).toBeNull();
    await recorder.record(fact());
    const first = await lastUse();
    expect(first).not.toBeNull();
    await service.query(`update api_keys set last_used_at = now() + interval '1 hour' where id = $1`, [key.id]);
    const recent = await lastUse();
    await recorder.record(fact());
    expect(await lastUse()).toEqual(recent);
    await service.query(`update api_keys set last_used_at = now() - interval '2 seconds' where id = $1`, [key.id]);
    const old = await lastUse();
    await recorder.record(fact());
    expect(await lastUse()).not.toEqual(old);
  });

  it("should update the previous secret's last use at most once a second, even if the current one was just used", async () => {
    const lastPreviousUse = async () => {
      const [row] = await service.query<{ last: Date | null }>(
        'select previous_secret_last_used_at as last from api_keys where id = $1',
        [key.id],
      );
      return row?.last;
    };
    const usePrevious = () => recorder.record(fact({ usesPreviousSecret: true }));
    await service.query(
      `update api_keys set previous_secret_hash = sha256(id::text::bytea), last_used_at = now() + interval '1 hour'
       where id = $1`,
      [key.id],
    );
    await recorder.record(fact());
    expect(await lastPreviousUse()).toBeNull();
    await Promise.all([usePrevious(), recorder.record(fact())]);
    expect(await lastPreviousUse()).not.toBeNull();
    await service.query(
      `update api_keys set last_used_at = now() + interval '1 hour', previous_secret_last_used_at = now() + interval '1 hour'
       where id = $1`,
      [key.id],
    );
    const recent = await lastPreviousUse();
    await usePrevious();
    expect(await lastPreviousUse()).toEqual(recent);
    await service.query(
      `update api_keys set previous_secret_last_used_at = now() - interval '2 seconds' where id = $1`,
      [key.id],
    );
    const old = await lastPreviousUse();
    await recorder.record(fact());
    expect(await lastPreviousUse()).toEqual(old);
    await usePrevious();
    expect(await lastPreviousUse()).not.toEqual(old);
  });

  it('should not wait for a key that is being changed', async () => {
    const changer = service.app.get(DataSource).createQueryRunner();
    await changer.startTransaction();
    await changer.query('select from api_keys where id = $1 for update', [key.id]);
    await recorder.record(fact());
    await changer.rollbackTransaction();
    await changer.release();
    expect(await recorded()).toMatchObject({ requests: 1 });
  });

  it("should record other organizations' usage if one is deleted", async () => {
    const gone = fact({ organizationId: randomUUID(), apiKeyId: randomUUID() });
    await Promise.all([recorder.record(gone), recorder.record(fact())]);
    expect(await recorded()).toMatchObject({ requests: 1 });
  });

  it('should return 503 when the database is slow, bound its queue and recover', async () => {
    const unblock = await blockUsage(service);
    const outcomes = await Promise.allSettled(Array.from({ length: 12_000 }, () => recorder.record(fact())));
    await unblock();
    const codes = outcomes.map((outcome) => {
      return outcome.status === 'rejected' ? (outcome.reason as { code: string }).code : 'recorded';
    });
    expect(codes).not.toContain('recorded');
    expect(codes.filter((code) => code === 'database-unavailable').length).toBeGreaterThanOrEqual(10_000);
    expect(codes.filter((code) => code === 'overloaded').length).toBeGreaterThanOrEqual(1000);
    // The batch in flight may have been written, and waiting facts are written on recovery.
    await waitFor(async () => !(await isRecorderBusy(service)) && recorder.refusal === undefined);
    const before = await recorded();
    await recorder.record(fact());
    expect((await recorded())?.requests).toBe((before?.requests ?? 0) + 1);
  });

  it('should write pending usage before it stops', async () => {
    const stopping = newRecorder();
    const unblock = await blockUsage(service);
    const facts = Array.from({ length: 50 }, () => stopping.record(fact()));
    await waitFor(() => isRecorderBlocked(service));
    const late = Array.from({ length: 50 }, () => stopping.record(fact()));
    const stopped = stopping.onApplicationShutdown();
    await unblock();
    await stopped;
    await Promise.all([...facts, ...late]);
    expect(await recorded()).toMatchObject({ requests: 100 });
  });

  it('should write usage the database rejected before it stops', async () => {
    const stopping = newRecorder();
    await service.query(
      `create function refuse_usage() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
       create trigger usage_refused before insert on usage for each statement execute function refuse_usage()`,
    );
    await expect(stopping.record(fact())).rejects.toThrow();
    await service.query('drop trigger usage_refused on usage; drop function refuse_usage()');
    await stopping.onApplicationShutdown();
    expect(await recorded()).toEqual({ requests: 1, failures: 1, inputTokens: 3, pages: 2 });
  });
});

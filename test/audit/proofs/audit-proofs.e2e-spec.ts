import { isSignedBy, AuditKey } from '../../../src/audit/proofs/audit-key.js';
import { originOf, parseCheckpoint } from '../../../src/audit/proofs/checkpoint.js';
import { hashLeaf, isConsistent, rootFromInclusion } from '../../../src/audit/proofs/merkle-tree.js';
import { createApiKey } from '../../factories/api-keys.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../../factories/audit-log.js';
import { auditSeeds, hashEvents, signedApp } from '../../factories/audit-proofs.js';
import { readEvents } from '../../events/read-events.js';
import { createMember, type Member } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import { useTestApp } from '../../setup/use-test-app.js';
import { waitFor } from '../../setup/wait-for.js';
import { verifyExport } from './verify-export.js';

const service = useTestApp(signedApp());
const unsigned = useTestApp();
const key = new AuditKey(auditSeeds[0]);
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

interface Proof {
  index: number;
  treeSize: number;
  hashes: string[];
  event: string;
  checkpoint: string;
  publicKey: string;
}

const get = (path: string, { token } = member) => call(service.url, `GET /audit-events/${path}`, { token });
const eventIds = async ({ organizationId } = member) => {
  const rows = await service.query<{ id: string }>(
    'select id from audit_events where organization_id = $1 order by occurred_at, id',
    [organizationId],
  );
  return rows.map(({ id }) => id);
};
const toBuffers = (hashes: string[]) => hashes.map((hash) => Buffer.from(hash, 'base64'));

/** Whether a proof leads from its event to the root of its checkpoint, which this service has signed. */
function isProven(proof: Proof, { organizationId } = member): boolean {
  const { index, treeSize: size, hashes, event, checkpoint, publicKey } = proof;
  const parsed = parseCheckpoint(checkpoint);
  const root = rootFromInclusion(hashLeaf(event), { index, size, hashes: toBuffers(hashes) });
  const isSigned = publicKey === key.verifierKey(originOf(organizationId)) && isSignedBy([publicKey], checkpoint);
  return isSigned && parsed?.size === size && root?.equals(parsed.root) === true;
}

async function expectAccessRules(path: string): Promise<void> {
  expect((await call(service.url, `GET /audit-events/${path}`)).status).toBe(401);
  const { token } = await createMember(service, { permissions: ['get-api-keys'] });
  expect((await call(service.url, `GET /audit-events/${path}`, { token })).status).toBe(403);
}

async function expectOffWithoutKey(path: string): Promise<void> {
  const other = await createMember(unsigned);
  await recordKeyCreation(unsigned, other, 'Search');
  const [{ id } = { id: '' }] = await unsigned.query<{ id: string }>(
    'select id from audit_events where organization_id = $1',
    [other.organizationId],
  );
  const response = await call(unsigned.url, `GET /audit-events/${path.replace(':id', id)}`, { token: other.token });
  expect(response).toMatchObject({ status: 404, body: { code: 'audit-proofs-off' } });
}

describe('GET /audit-events/checkpoint', () => {
  it('should return a signed checkpoint with all events that happened before the request', async () => {
    for (let count = 1; count <= 3; count++) {
      await createApiKey(service, member);
      const { status, text, headers } = await get('checkpoint');
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(parseCheckpoint(text)?.size).toBe(count);
      expect(text.split('\n')[0]).toBe(`keycard/audit/${member.organizationId}`);
      expect(isSignedBy([key.verifierKey(originOf(member.organizationId))], text)).toBe(true);
    }
  });

  it('should return the same checkpoint until there is a new event', async () => {
    await createApiKey(service, member);
    const { text } = await get('checkpoint');
    expect((await get('checkpoint')).text).toBe(text);
    await createApiKey(service, member);
    expect((await get('checkpoint')).text).not.toBe(text);
  });

  it('should publish each checkpoint as an event of its organization', async () => {
    const other = await createMember(service);
    await createApiKey(service, member);
    const checkpoints = [(await get('checkpoint')).text];
    await get('checkpoint');
    await createApiKey(service, member);
    checkpoints.push((await get('checkpoint')).text);
    const published = async ({ organizationId }: Member) => {
      const events = await readEvents(service, organizationId);
      return events.filter(({ type }) => type === 'audit.checkpoint').map(({ data }) => data['checkpoint']);
    };
    expect(await published(member)).toEqual(checkpoints);
    expect(await published(other)).toEqual([]);
  });

  it('should return a checkpoint for an organization without events', async () => {
    expect(parseCheckpoint((await get('checkpoint')).text)).toMatchObject({ size: 0 });
  });

  it('should return 401 without a token, and 403 without the permission', () => expectAccessRules('checkpoint'));

  it('should return 404 without a signing key', () => expectOffWithoutKey('checkpoint'));
});

describe('GET /audit-events/{id}/proof', () => {
  it('should prove every event, whatever the size of the log', async () => {
    await insertManySignIns(service, member, 700);
    for (let extra = 0; extra < 3; extra++) {
      await recordKeyCreation(service, member, `Key ${extra}`);
      const ids = await eventIds();
      const some = [0, 1, 2, 255, 256, 257, 511, 512, ids.length - 1].map((index) => ids[index] ?? '');
      for (const id of some) {
        const { status, body } = await get(`${id}/proof`);
        expect(status).toBe(200);
        expect(isProven(body as Proof)).toBe(true);
        expect(JSON.parse((body as Proof).event)).toMatchObject({ id, organizationId: member.organizationId });
      }
    }
  });

  it('should prove the event that GET /audit-events returns', async () => {
    await recordKeyCreation(service, member, 'Search “indexer” \u0000'.replace('\u0000', '\u2028'));
    const { body } = await call(service.url, 'GET /audit-events', { token: member.token });
    const [event] = (body as { auditEvents: { id: string }[] }).auditEvents;
    const proof = (await get(`${event?.id}/proof`)).body as Proof;
    // The request isn't hashed.
    const hashed = { ...event, organizationId: member.organizationId, requestId: undefined };
    expect(JSON.parse(proof.event)).toEqual(hashed);
  });

  it('should prove nothing for another event, index or organization', async () => {
    await insertManySignIns(service, member, 20);
    const [id] = await eventIds();
    const proof = (await get(`${id}/proof`)).body as Proof;
    expect(isProven(proof)).toBe(true);
    expect(isProven({ ...proof, event: proof.event.replace('sign-in', 'sign-out') })).toBe(false);
    expect(isProven({ ...proof, index: proof.index + 1 })).toBe(false);
    expect(isProven(proof, await createMember(service))).toBe(false);
  });

  it('should return 404 for an event of another organization, an unknown one and a malformed id', async () => {
    await createApiKey(service, member);
    const [id] = await eventIds();
    const stranger = await createMember(service);
    for (const [path, caller] of [
      [`${id}/proof`, stranger],
      [`${stranger.userId}/proof`, member],
      ['no-id/proof', member],
    ] as const) {
      expect(await get(path, caller)).toMatchObject({ status: 404, body: { detail: 'Audit event not found.' } });
    }
  });

  it('should return 401 without a token, and 403 without the permission', () =>
    expectAccessRules(`${member.userId}/proof`));

  it('should return 404 without a signing key', () => expectOffWithoutKey(':id/proof'));

  it('should return 400 for a malformed URL', async () => {
    expect((await get('%E0%A4%A/proof')).status).toBe(400);
  });
});

describe('GET /audit-events/consistency-proof', () => {
  const rootOf = (checkpoint: string) => {
    const { size = -1, root = Buffer.alloc(0) } = parseCheckpoint(checkpoint) ?? {};
    return { size, root };
  };

  it('should prove that the log continues an earlier checkpoint, and no other', async () => {
    const checkpoints: string[] = [];
    for (const count of [0, 1, 5, 300]) {
      if (count > 0) await insertManySignIns(service, member, count);
      checkpoints.push((await get('checkpoint')).text);
    }
    for (const checkpoint of checkpoints) {
      const earlier = rootOf(checkpoint);
      const { status, body } = await get(`consistency-proof?size=${earlier.size}`);
      expect(status).toBe(200);
      const { hashes, checkpoint: newest } = body as Proof;
      expect(isConsistent(earlier, rootOf(newest), toBuffers(hashes))).toBe(true);
      const other = { ...earlier, root: hashLeaf('another') };
      expect(isConsistent(other, rootOf(newest), toBuffers(hashes))).toBe(false);
    }
  });

  it.each(['size=-1', 'size=x', 'size=1000000', 'size=2147483648'])('should return 400 for %s', async (query) => {
    const response = await get(`consistency-proof?${query}`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'size' }] } });
  });

  it('should return 401 without a token, and 403 without the permission', () =>
    expectAccessRules('consistency-proof?size=0'));

  it('should return 404 without a signing key', () => expectOffWithoutKey('consistency-proof?size=0'));
});

describe('GET /audit-events/export?format=jsonl', () => {
  const exportLines = async (query = '') => get(`export?format=jsonl${query}`);

  it('should return all events in the order of the log, whose root is that of the checkpoint', async () => {
    await insertManySignIns(service, member, 2500);
    const response = await exportLines();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/filename="audit-events-\d{4}-\d\d-\d\d\.jsonl"$/);
    const { events, omitted } = verifyExport(response.text);
    expect(omitted).toBe(0);
    const leaves = await service.query<{ id: string }>(
      'select event_id as id from audit_leaves where tree_id = $1 order by index',
      [member.organizationId],
    );
    expect(events.map(({ event }) => event['id'])).toEqual(leaves.map(({ id }) => id));
    expect(events).toHaveLength(2500);
  });

  it.each([
    ['the first events', 'from=2025-12-31T23:59:50Z'],
    ['the last events', 'to=2025-12-31T23:30:00Z'],
    ['events in between', 'from=2025-12-31T23:20:00Z&to=2025-12-31T23:40:00Z'],
    ['scattered events', 'action=api-key.create'],
    ['no events', 'action=role.create'],
  ])('should prove the place of a selection: %s', async (_title, query) => {
    for (let group = 0; group < 3; group++) {
      await insertManySignIns(service, member, 1000);
      await recordKeyCreation(service, member, `Key ${group}`);
      await hashEvents(service);
    }
    const { events } = verifyExport((await exportLines(`&${query}`)).text);
    const { text } = await get(`export?${query}`);
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(1, 37));
    expect(events.map(({ event }) => event['id']).sort()).toEqual(ids.sort());
  });

  it('should not verify if an event was changed, left out or moved', async () => {
    await insertManySignIns(service, member, 5);
    const lines = (await exportLines()).text.split('\n');
    const [first = '', second = '', ...rest] = lines;
    for (const changed of [
      [first.replace('203.0.113.7', '203.0.113.8'), second, ...rest],
      [second, ...rest],
      [second, first, ...rest],
      [second.replace('"index":1', '"index":0'), first.replace('"index":0', '"index":1'), ...rest],
    ]) {
      expect(() => verifyExport(changed.join('\n'))).toThrow(/gap|root/);
    }
    expect(verifyExport(lines.join('\n')).events).toHaveLength(5);
  });

  it('should contain no events of other organizations', async () => {
    await insertManySignIns(service, await createMember(service), 3);
    await insertManySignIns(service, member, 1);
    expect(verifyExport((await exportLines()).text).events).toHaveLength(1);
  });

  it('should return 400 for an unknown format and an empty period', async () => {
    expect(await get('export?format=xml')).toMatchObject({ status: 400, body: { errors: [{ field: 'format' }] } });
    const response = await exportLines('&from=2026-01-31T00:00:00Z&to=2026-01-30T00:00:00Z');
    expect(response).toMatchObject({ status: 400, body: { errors: [{ field: 'from' }] } });
  });

  it('should return 401 without a token, and 403 without the permission', () =>
    expectAccessRules('export?format=jsonl'));

  it('should return 404 without a signing key', () => expectOffWithoutKey('export?format=jsonl'));
});

describe('The audit log', () => {
  it('should be signed without a request, with each event once', async () => {
    const ids = await insertAuditEvents(service, member, [{}, {}, {}]);
    const read = () =>
      service.query<{ note: string }>('select note from audit_checkpoints where tree_id = $1', [member.organizationId]);
    await waitFor(async () => {
      const leaves = await service.query<{ id: string }>(
        'select event_id as id from audit_leaves where tree_id = $1 order by index',
        [member.organizationId],
      );
      return leaves.length === ids.length;
    });
    const { AuditTreesService } = await import('../../../src/audit/proofs/audit-trees.service.js');
    await service.app.get(AuditTreesService).signGrownTrees();
    expect((await read()).map(({ note }) => parseCheckpoint(note)?.size)).toEqual([3]);
    await insertAuditEvents(service, member, [{}]);
    await hashEvents(service);
    await service.app.get(AuditTreesService).signGrownTrees();
    expect(await read()).toHaveLength(1);
    // An hour later.
    await service.query(`update audit_trees set checkpointed_at = checkpointed_at - interval '1 hour' where id = $1`, [
      member.organizationId,
    ]);
    await service.app.get(AuditTreesService).signGrownTrees();
    expect((await read()).map(({ note }) => parseCheckpoint(note)?.size)).toEqual([3, 4]);
  });
});

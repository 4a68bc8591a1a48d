import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { LeakLabelDto } from '../../src/leaked-keys/dto/leaked-key.dto.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import type { TestApp } from '../setup/test-app.js';

export const place = { url: 'https://github.com/example/repository/blob/main/.env', source: 'commit' };

interface Report {
  token: string;
  url?: string;
  source?: string;
  type?: string;
}

type App = Pick<TestApp, 'url'>;

/** Reports secrets as GitHub does and returns the labels. */
export async function report({ url }: App, ...reports: Report[]): Promise<string[]> {
  const { status, body, text } = await call(url, 'POST /leaked-keys', { body: reports });
  if (status !== 200) throw new Error(text);
  return (body as LeakLabelDto[]).map(({ label }) => label);
}

/** Creates a member of a new organization with this policy. */
export async function createMemberOn(service: TestApp, onLeak: string): Promise<Member> {
  const member = await createMember(service);
  const { token } = member;
  const { status } = await call(service.url, 'PATCH /organizations/current', { token, body: { onLeak } });
  if (status !== 200) throw new Error(`PATCH /organizations/current returned ${status}`);
  return member;
}

/** The status of a request with a key. */
export const statusOf = async ({ url }: App, token: string) => (await call(url, 'GET /v1/models', { token })).status;

/** The key as its members see it. */
export async function readKey({ url }: App, { token }: Member, id: string): Promise<ApiKeyDetailsDto> {
  return (await call(url, `GET /api-keys/${id}`, { token })).body as ApiKeyDetailsDto;
}

/** Rotates a key and returns the new secret. */
export async function rotate({ url }: App, { token }: Member, id: string, gracePeriodSeconds = 600): Promise<string> {
  const { body } = await call(url, `POST /api-keys/${id}/rotate`, { token, body: { gracePeriodSeconds } });
  return (body as { key: string }).key;
}

interface LeakEvent {
  actorKind: string;
  targetId: string;
  targetHint: string;
  after: { url: string | null; source: string | null; secret: string; outcome: string };
}

/** The audit events of leaks in an organization, the oldest first. */
export function readLeakEvents({ query }: TestApp, { organizationId }: Member): Promise<LeakEvent[]> {
  return query<LeakEvent>(
    `select actor_kind as "actorKind", target_id as "targetId", target_hint as "targetHint", after
     from audit_events where action = 'api-key.leak' and organization_id = $1 order by id`,
    [organizationId],
  );
}

/** A type of event. */
export interface EventTypeDefinition {
  /** When it happens, as a sentence. */
  description: string;
  /** `data` of a payload, without the fields that all types share. */
  example: Readonly<Record<string, unknown>>;
}

const keyId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';
const apiKey = { id: keyId, name: 'Search indexer', hint: 'kc_4fT9q' };
const member = { id: '01936f60-1e02-7a51-8c15-3a5d1f1f2a77', email: 'ada@example.com' };
const role = { id: '01936f61-0c4d-7b0e-9a44-6f3d5f1b6c11', name: 'Developer' };
const serviceAccount = { id: '01936f62-5d1b-7f3c-8a0b-2f6f2a9d4e55', name: 'Deploy pipeline', hint: 'kcs_8hB2m' };
const budget = { metric: 'cost', per: 'month', max: '25', periodStart: '2026-01-01T00:00:00.000Z' };
const upstream = { host: 'api.openai.com', model: 'gpt-mini' };

/** All types of events, in the order shown. */
export const eventTypes = {
  'api_key.created': { description: 'An API key was created.', example: { apiKey } },
  'api_key.updated': {
    description: 'Settings of an API key changed, such as its name, expiry or limits.',
    example: { apiKey, changedFields: ['name', 'limits'] },
  },
  'api_key.rotated': {
    description: 'An API key got a new secret. The previous one works until the grace period ends.',
    example: { apiKey, gracePeriodSeconds: 3600 },
  },
  'api_key.disabled': { description: 'An API key was disabled.', example: { apiKey } },
  'api_key.enabled': { description: 'A disabled API key was enabled.', example: { apiKey } },
  'api_key.deleted': { description: 'An API key was deleted.', example: { apiKey } },
  'api_key.expiring': {
    description: 'An API key expires in 7 days, or in 1 day.',
    example: { apiKey, expiresAt: '2026-02-07T09:30:00.000Z', daysLeft: 7 },
  },
  'api_key.expired': {
    description: 'An API key expired.',
    example: { apiKey, expiresAt: '2026-01-31T09:30:00.000Z' },
  },
  'api_key.leaked': {
    description: 'An API key leaked: it was found in a public place, or a member reported it.',
    example: {
      apiKey,
      url: 'https://github.com/example/app/blob/main/.env',
      source: 'content',
      secret: 'current',
      outcome: 'disabled',
    },
  },
  'limit.threshold_reached': {
    description: 'A limit of a key or the organization reached a percentage of its `notifyAt`.',
    example: { apiKey, ...budget, percent: 80, charged: '20.0013' },
  },
  'limit.exhausted': {
    description: 'A limit of a key or the organization reached 100% of its maximum.',
    example: { apiKey, ...budget, percent: 100, charged: '25.0004' },
  },
  'member.invited': {
    description: 'Someone was invited to the organization.',
    example: { invitation: member, role: 'Developer' },
  },
  'member.joined': {
    description: 'A member joined, with an invitation, through single sign-on, or added by the operator.',
    example: { member, role: 'Developer' },
  },
  'member.left': { description: 'A member left the organization.', example: { member, role: 'Developer' } },
  'member.removed': { description: 'A member was removed.', example: { member, role: 'Developer' } },
  'member.role_changed': {
    description: 'A member got another role.',
    example: { member, role: 'Owner', previousRole: 'Developer' },
  },
  'role.created': { description: 'A role was created.', example: { role } },
  'role.updated': {
    description: 'The name or permissions of a role changed.',
    example: { role, changedFields: ['permissions'] },
  },
  'role.deleted': { description: 'A role was deleted.', example: { role } },
  'service_account.created': { description: 'A service account was created.', example: { serviceAccount } },
  'service_account.updated': {
    description: 'The name or role of a service account changed, or its previous secret was revoked.',
    example: { serviceAccount, changedFields: ['role'] },
  },
  'service_account.rotated': {
    description: 'A service account got a new client secret.',
    example: { serviceAccount, gracePeriodSeconds: 3600 },
  },
  'service_account.deleted': { description: 'A service account was deleted.', example: { serviceAccount } },
  'organization.updated': {
    description: 'Settings of the organization changed.',
    example: { organization: { id: keyId, name: 'Research' }, changedFields: ['limits'] },
  },
  'sign_in.blocked': {
    description: 'Further sign-ins of a member are blocked for a while, after too many wrong passwords.',
    example: { user: member, address: '203.0.113.7' },
  },
  'upstream.circuit_opened': {
    description: 'A replica stopped sending requests to an upstream, because too many in a row failed.',
    example: { upstream, replica: 'keycard-0:17' },
  },
  'upstream.circuit_closed': {
    description: 'A replica sends requests to an upstream again.',
    example: { upstream, replica: 'keycard-0:17' },
  },
  'webhook.disabled': {
    description:
      'Keycard disabled a webhook, because its last attempt failed (`failing`), or it responded 410 (`gone`).',
    example: { webhook: { id: keyId, host: 'example.com' }, reason: 'failing' },
  },
  'audit.checkpoint': {
    description: 'The audit log has a new signed checkpoint. Keep it, to prove later that nothing was removed.',
    example: { checkpoint: 'keycard/01936f5e\n42\nqJ8d0p1tYw3N2o0nqZ4hX0b8l6sV1m9c5f7e3a2k1Gs=\n\n— keycard …' },
  },
  'webhook.test': {
    description: "A test that a user sent to one webhook. Webhooks can't choose it.",
    example: { message: 'This is a test.' },
  },
} as const satisfies Record<string, EventTypeDefinition>;

export type EventType = keyof typeof eventTypes;

export const allEventTypes = Object.keys(eventTypes) as EventType[];

/** Types that webhooks can choose. A test goes to one webhook, whatever it chose. */
export const choosableTypes: readonly EventType[] = allEventTypes.filter((type) => type !== 'webhook.test');

/** OpenAPI schema of a type. */
export const eventTypeEnum = {
  enum: allEventTypes,
  enumName: 'EventType',
  enumSchema: { description: 'A type of event, such as `api_key.created`.' },
};

/** Fields that `data` has in all types. */
export const commonData = {
  organizationId: '01936f5d-2a40-7d1e-b1c5-9d0c4e2f7a31',
  actor: { kind: 'user', id: '01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22', name: null, email: 'grace@example.com' },
  requestId: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
};

/** A complete payload, as a receiver gets it. */
export function examplePayload(type: EventType) {
  return { type, timestamp: '2026-01-31T09:30:00.123Z', data: { ...commonData, ...eventTypes[type].example } };
}

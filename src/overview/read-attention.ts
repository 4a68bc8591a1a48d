import type { EntityManager } from 'typeorm';
import { loadStatement } from '../database/sql-file.js';
import { hostOf } from '../webhooks/webhook-url.js';
import { type AttentionDto, type AttentionKind, maxCount, maxNamed } from './dto/attention.dto.js';

const fragments = { max_named: String(maxNamed) };

/** Exported, like the next ones, for the test that compares them with the schema. */
export const selectKeysToReview = loadStatement('overview/keys-to-review.sql', {
  parameters: ['organizationId'],
  fragments: { ...fragments, max_count: String(maxCount) },
});

export const selectKeysNearLimits = loadStatement('overview/keys-near-limits.sql', {
  parameters: ['organizationId'],
  fragments,
});

export const selectKeysKnownToFormerMembers = loadStatement('overview/keys-known-to-former-members.sql', {
  parameters: ['organizationId'],
  fragments: { ...fragments, max_count: String(maxCount), shown_condition: 'true', key_condition: 'true' },
});

export const selectMembersToReview = loadStatement('overview/members-to-review.sql', {
  parameters: ['organizationId', 'loggedDays'],
  fragments,
});

export const selectWebhooksToReview = loadStatement('overview/webhooks-to-review.sql', {
  parameters: ['organizationId'],
  fragments,
});

const keyKinds = ['leaked-keys', 'expiring-keys', 'unused-keys'] as const satisfies readonly AttentionKind[];

interface KeyRow {
  count: number;
  id: string;
  name: string;
  hint: string;
}

interface ReviewedKeyRow extends KeyRow {
  kind: (typeof keyKinds)[number];
  at: Date;
  isDisabled: boolean | null;
}

/** Keys that have leaked, expire soon or are unused: one entry per kind, also for kinds without keys. */
export async function readKeysToReview(manager: EntityManager, organizationId: string): Promise<AttentionDto[]> {
  const values = selectKeysToReview.bind({ organizationId });
  const rows = await manager.query<ReviewedKeyRow[]>(selectKeysToReview.text, values);
  return keyKinds.map((kind) => {
    const found = rows.filter((row) => row.kind === kind);
    const first = found.map(({ id, name, hint, at, isDisabled }) => ({
      id,
      name,
      hint,
      at: at.toISOString(),
      ...(isDisabled !== null && { isDisabled }),
    }));
    return { kind, count: found[0]?.count ?? 0, first };
  });
}

/** The keys that have used most of a budget. */
export async function readKeysNearLimits(manager: EntityManager, organizationId: string): Promise<AttentionDto> {
  const values = selectKeysNearLimits.bind({ organizationId });
  const rows = await manager.query<(KeyRow & { usedPercent: number })[]>(selectKeysNearLimits.text, values);
  const first = rows.map(({ id, name, hint, usedPercent }) => ({ id, name, hint, usedPercent }));
  return { kind: 'keys-near-limits', count: rows[0]?.count ?? 0, first };
}

/** The keys with secrets that former members know. */
export async function readKeysKnownToFormerMembers(
  manager: EntityManager,
  organizationId: string,
): Promise<AttentionDto> {
  const values = selectKeysKnownToFormerMembers.bind({ organizationId });
  const rows = await manager.query<(KeyRow & { at: Date; until: Date | null })[]>(
    selectKeysKnownToFormerMembers.text,
    values,
  );
  const first = rows.map(({ id, name, hint, at, until }) => ({
    id,
    name,
    hint,
    at: at.toISOString(),
    ...(until !== null && { previousSecretExpiresAt: until.toISOString() }),
  }));
  return { kind: 'keys-known-to-former-members', count: rows[0]?.count ?? 0, first };
}

interface MemberRow {
  count: number;
  id: string;
  name: string;
  at: Date;
}

/**
 * The members who have never signed in.
 *
 * @param loggedDays how long audit events are kept; undefined: forever
 */
export async function readMembersToReview(
  manager: EntityManager,
  organizationId: string,
  loggedDays: number | undefined,
): Promise<AttentionDto> {
  const values = selectMembersToReview.bind({ organizationId, loggedDays: loggedDays ?? null });
  const rows = await manager.query<MemberRow[]>(selectMembersToReview.text, values);
  const first = rows.map(({ id, name, at }) => ({ id, name, at: at.toISOString() }));
  return { kind: 'members-never-signed-in', count: rows[0]?.count ?? 0, first };
}

interface WebhookRow {
  count: number;
  id: string;
  url: string;
  isDisabled: boolean;
}

/** The webhooks whose deliveries fail. Paths of their URLs may be secret, so they're named by host. */
export async function readWebhooksToReview(manager: EntityManager, organizationId: string): Promise<AttentionDto> {
  const values = selectWebhooksToReview.bind({ organizationId });
  const rows = await manager.query<WebhookRow[]>(selectWebhooksToReview.text, values);
  const first = rows.map(({ id, url, isDisabled }) => ({ id, name: hostOf(url), isDisabled }));
  return { kind: 'failing-webhooks', count: rows[0]?.count ?? 0, first };
}

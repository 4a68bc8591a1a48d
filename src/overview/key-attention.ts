import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { AuditAction } from '../audit/audit-actions.js';
import type { AttentionDto } from './dto/attention.dto.js';
import { readKeysKnownToFormerMembers, readKeysNearLimits, readKeysToReview } from './read-attention.js';

/** Keys that need attention, and when they were read. */
export interface KeyAttention {
  readAt: Date;
  attention: AttentionDto[];
}

const maxOrganizations = 1000;
const maxKeptMilliseconds = 60_000;
/** Of UUIDs. */
const organizationIdLength = 36;

/** How long results are kept. */
interface Keeping {
  /** In multiples of the time that reading took: finding keys takes at most 1% of the time. */
  perWork: number;
  /** Reading that takes less is repeated each time. */
  minWorkMilliseconds: number;
}

interface Entry extends KeyAttention {
  /** When a call waits for a new result, by `performance.now()`. Calls in the second half of this time start to read one. */
  keptUntil: number;
}

/** Make someone a member, or end a membership or service account. */
const peopleActions = [
  'invitation.accept',
  'member.create',
  'member.add-owner',
  'member.delete',
  'account.delete',
  'service-account.delete',
] satisfies AuditAction[];

const lastEvent = (condition: string) => `(
  select id from audit_events where organization_id = $1 and ${condition} order by occurred_at desc, id desc limit 1
)`;

/** The last events about keys, and about who knows them: the result changes when they do. */
const selectLastChanges = `
  select concat_ws(' ', ${lastEvent("target_kind = 'api-key'")}, (
    select string_agg(${lastEvent('action = name')}::text, ' ' order by name) from unnest($2::text[]) as name
  )) as ids`;

/**
 * Finds keys that need attention. With many keys that takes long, so results are kept for up to a minute: keys whose budget
 * or time runs out appear later, but changes of keys and members immediately, on all replicas.
 */
export class KeyAttentionReader {
  /** @param keeping other values for tests */
  constructor(private readonly keeping: Keeping = { perWork: 100, minWorkMilliseconds: 25 }) {}

  private readonly cache = new LRUCache<string, Entry, EntityManager>({
    max: maxOrganizations,
    fetchMethod: async (key, _stale, { context: manager, options }) => {
      const entry = await this.readEntry(manager, key.slice(0, organizationIdLength));
      // A result that isn't kept is stale immediately; 0 would mean forever.
      options.ttl = Math.max(1, (entry.keptUntil - performance.now()) / 2);
      return entry;
    },
  });

  async read(manager: EntityManager, organizationId: string): Promise<KeyAttention> {
    const [changes] = await manager.query<{ ids: string }[]>(selectLastChanges, [organizationId, peopleActions]);
    const key = `${organizationId} ${changes?.ids ?? ''}`;
    const last = this.cache.peek(key, { allowStale: true });
    const mayBeStale = last !== undefined && performance.now() < last.keptUntil;
    const entry = await this.cache.fetch(key, {
      context: manager,
      allowStale: mayBeStale,
      forceRefresh: !mayBeStale,
    });
    return entry ?? this.readEntry(manager, organizationId);
  }

  private async readEntry(manager: EntityManager, organizationId: string): Promise<Entry> {
    const readAt = new Date();
    const start = performance.now();
    const [toReview, nearLimits, known] = await Promise.all([
      readKeysToReview(manager, organizationId),
      readKeysNearLimits(manager, organizationId),
      readKeysKnownToFormerMembers(manager, organizationId),
    ]);
    const milliseconds = performance.now() - start;
    const { perWork, minWorkMilliseconds } = this.keeping;
    const kept = milliseconds < minWorkMilliseconds ? 0 : Math.min(perWork * milliseconds, maxKeptMilliseconds);
    return { readAt, attention: [...toReview, nearLimits, known], keptUntil: start + milliseconds + kept };
  }
}

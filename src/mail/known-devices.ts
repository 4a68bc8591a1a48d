import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Origin } from '../access/principal.js';
import { parseAddress } from '../common/http/client-address.js';

/**
 * Remembers browser and network of a sign-in.
 *
 * @returns whether one of them is new for a user who has signed in before
 */
export async function noteDevice(manager: EntityManager, userId: string, origin: Origin): Promise<boolean> {
  const marks = [`browser ${browserOf(origin)}`, `network ${networkOf(origin)}`]
    .map(hashOf)
    .sort((one, other) => one.compare(other));
  const [found] = await manager.query<{ isNew: boolean }[]>(
    `with known as materialized (select mark from known_devices where user_id = $1), noted as (
       insert into known_devices (user_id, mark) select $1, mark from unnest($2::bytea[]) as mark
       on conflict (user_id, mark) do update set seen_at = now()
     )
     select exists (select from known)
       and exists (select from unnest($2::bytea[]) as mark where mark not in (select mark from known)) as "isNew"`,
    [userId, marks],
  );
  return found?.isNew === true;
}

/** Without versions, which change every few weeks. */
function browserOf({ userAgent = '' }: Origin): string {
  return userAgent.replaceAll(/[\d._]+/g, '');
}

/** A wide one, because providers give the same home or phone different addresses. */
function networkOf({ address }: Origin): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) return address;
  const bytes = parsed.toByteArray();
  return bytes.slice(0, bytes.length === 4 ? 2 : 4).join('.');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import type { EngineClient } from './engine-client.js';

interface Organization<Item> {
  /** The turn at which its next item is due. */
  turn: number;
  /** Items by key; the first key is next. */
  readonly keys: Map<string, Item[]>;
}

/** How far ahead the turn of a newly waiting organization lies: less than that of one that was just served. */
const newcomerDelay = 0.5;

/**
 * Items that organizations wait for. Organizations take turns, and so do the keys of each: an organization that
 * starts to wait is served next, or next but one, regardless of the backlog of others (start-time fair queueing).
 */
export class FairQueue<Item> {
  private readonly organizations = new Map<string, Organization<Item>>();
  /** The turn of the item that was taken last. */
  private now = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  push({ organizationId, keyId }: EngineClient, item: Item): void {
    const known = this.organizations.get(organizationId);
    const organization = known ?? { turn: 0, keys: new Map<string, Item[]>() };
    if (organization.keys.size === 0) organization.turn = Math.max(organization.turn, this.now + newcomerDelay);
    if (known === undefined) this.organizations.set(organizationId, organization);
    const items = organization.keys.get(keyId);
    if (items === undefined) organization.keys.set(keyId, [item]);
    else items.push(item);
    this.count += 1;
  }

  /** Takes the next item. */
  shift(): Item | undefined {
    const next = this.nextOrganization();
    if (next === undefined) return undefined;
    this.now = next.turn;
    next.turn += 1;
    this.count -= 1;
    return shiftByKey(next.keys);
  }

  remove({ organizationId, keyId }: EngineClient, item: Item): void {
    const keys = this.organizations.get(organizationId)?.keys;
    const items = keys?.get(keyId);
    const index = items?.indexOf(item) ?? -1;
    if (keys === undefined || items === undefined || index === -1) return;
    items.splice(index, 1);
    if (items.length === 0) keys.delete(keyId);
    this.count -= 1;
  }

  private nextOrganization(): Organization<Item> | undefined {
    let next: Organization<Item> | undefined;
    for (const [id, organization] of this.organizations) {
      if (organization.keys.size > 0) {
        if (next === undefined || organization.turn < next.turn) next = organization;
      } else if (this.count === 0 || organization.turn <= this.now + newcomerDelay) {
        // It would come back as a newcomer anyway.
        this.organizations.delete(id);
      }
    }
    return next;
  }
}

function shiftByKey<Item>(keys: Map<string, Item[]>): Item | undefined {
  for (const [keyId, items] of keys) {
    const item = items.shift();
    keys.delete(keyId);
    if (items.length > 0) keys.set(keyId, items);
    return item;
  }
  return undefined;
}

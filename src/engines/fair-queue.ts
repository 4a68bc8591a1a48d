import type { EngineClient } from './engine-client.js';

interface OrganizationQueue<Item> {
  /** Virtual time at which the organization's next item is due. */
  dueTime: number;
  /** The first key is next. */
  readonly itemsByKey: Map<string, Item[]>;
}

/** Delay of an organization that starts waiting. Below 1, so it precedes organizations that were just served. */
const newcomerDelay = 0.5;

/**
 * A queue in which organizations take turns, and so do the keys of each. An organization that starts waiting is served
 * next or next but one, however many items others have queued (start-time fair queueing).
 */
export class FairQueue<Item> {
  private readonly organizations = new Map<string, OrganizationQueue<Item>>();
  /** Due time of the last item taken. */
  private virtualTime = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  push({ organizationId, keyId }: EngineClient, item: Item): void {
    const known = this.organizations.get(organizationId);
    const organization = known ?? { dueTime: 0, itemsByKey: new Map<string, Item[]>() };
    if (organization.itemsByKey.size === 0) {
      organization.dueTime = Math.max(organization.dueTime, this.virtualTime + newcomerDelay);
    }
    if (known === undefined) this.organizations.set(organizationId, organization);
    const items = organization.itemsByKey.get(keyId);
    if (items === undefined) organization.itemsByKey.set(keyId, [item]);
    else items.push(item);
    this.count += 1;
  }

  /** Removes the next item and returns it. */
  shift(): Item | undefined {
    const next = this.nextOrganization();
    if (next === undefined) return undefined;
    this.virtualTime = next.dueTime;
    next.dueTime += 1;
    this.count -= 1;
    return shiftNextKey(next.itemsByKey);
  }

  remove({ organizationId, keyId }: EngineClient, item: Item): void {
    const itemsByKey = this.organizations.get(organizationId)?.itemsByKey;
    const items = itemsByKey?.get(keyId);
    const index = items?.indexOf(item) ?? -1;
    if (itemsByKey === undefined || items === undefined || index === -1) return;
    items.splice(index, 1);
    if (items.length === 0) itemsByKey.delete(keyId);
    this.count -= 1;
  }

  private nextOrganization(): OrganizationQueue<Item> | undefined {
    let next: OrganizationQueue<Item> | undefined;
    for (const [id, organization] of this.organizations) {
      if (organization.itemsByKey.size > 0) {
        if (next === undefined || organization.dueTime < next.dueTime) next = organization;
      } else if (this.count === 0 || organization.dueTime <= this.virtualTime + newcomerDelay) {
        // A newcomer is treated the same, so there is nothing to remember.
        this.organizations.delete(id);
      }
    }
    return next;
  }
}

/** Takes an item of the first key and moves this key to the end. */
function shiftNextKey<Item>(itemsByKey: Map<string, Item[]>): Item | undefined {
  for (const [keyId, items] of itemsByKey) {
    const item = items.shift();
    itemsByKey.delete(keyId);
    if (items.length > 0) itemsByKey.set(keyId, items);
    return item;
  }
  return undefined;
}

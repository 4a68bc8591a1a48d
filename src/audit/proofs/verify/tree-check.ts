import type { AuditKey } from '../audit-key.js';
import type { Checkpoint } from '../checkpoint.js';
import { GrowingTree, hashLeaf, type Subtree } from '../merkle-tree.js';
import { canonicalEvent } from '../proven-event.js';
import { storedLevels } from '../read-hashes.js';
import { sealLeaf } from '../seals.js';
import type { StoredTree } from './check-checkpoints.js';
import type { Finding } from './finding.js';
import type { StoredLeaf } from './read-leaves.js';

/** How much earlier than the preceding checkpoint an event may have occurred: longer than a transaction can last. */
const maxDelayMilliseconds = 60 * 60_000;

export interface TreeContext {
  keys: readonly AuditKey[];
  /** Checkpoints of this tree that were kept elsewhere. */
  kept: readonly Checkpoint[];
  /** Events before may have been deleted because of their age. */
  deletedBefore: Date | undefined;
  /** Position of the first leaf that must have a seal. */
  sealedFrom: number;
}

/** Names a subtree, also for people. */
export const keyOf = ({ level, index }: Subtree) => `level ${level}, index ${index}`;

/** Grows a tree leaf by leaf, until a leaf isn't as it should be. */
export class TreeCheck {
  deleted = 0;
  private readonly tree = GrowingTree.empty();
  private readonly nodes = new Map<string, Buffer>();
  private previous: StoredLeaf | undefined;
  /** Number of checkpoints that the tree has passed. */
  private passed = 0;
  private passedTime = -Infinity;
  private passedSize = 0;

  constructor(
    private readonly treeId: string,
    private readonly context: TreeContext,
    private readonly checkpoints: readonly Checkpoint[],
    private readonly storedNodes: ReadonlyMap<string, Buffer>,
  ) {}

  get leaves(): number {
    return this.tree.size;
  }

  /** Returns what was done to this leaf or its event. */
  add(leaf: StoredLeaf): Finding | undefined {
    const finding = this.passCheckpoints() ?? this.checkPlace(leaf) ?? this.checkSeal(leaf) ?? this.checkEvent(leaf);
    if (finding !== undefined) return finding;
    this.tree.append(leaf.hash, 0, (subtree, hash) => {
      if (subtree.level % storedLevels === 0) this.nodes.set(keyOf(subtree), hash);
    });
    this.previous = leaf;
    return undefined;
  }

  /** Compares the complete tree with what is stored about it. */
  finish(stored: StoredTree | undefined): Finding | undefined {
    const finding = this.passCheckpoints();
    if (finding !== undefined) return finding;
    const { size, edge } = this.tree;
    const longest = this.checkpoints.at(-1);
    const missing = longest !== undefined && longest.size > size ? longest : undefined;
    if (missing !== undefined || (stored?.size ?? 0) > size) {
      const claim =
        missing === undefined
          ? `the log had ${stored?.size} events`
          : `a checkpoint of ${missing.time.toISOString()} has ${missing.size}`;
      const last = this.previous === undefined ? '' : ` after event ${this.previous.eventId}`;
      return this.report('cut off', `The log was cut off${last}: it has ${size} events, but ${claim}.`, {
        index: size,
      });
    }
    if (stored?.size !== size || !stored.edge.equals(edge)) {
      const text = 'The stored size or hashes of the tree were changed.';
      return size === 0 && stored === undefined ? undefined : this.report('changed', text);
    }
    const node = this.findWrongNode();
    if (node === undefined) return undefined;
    return this.report('changed', `A stored hash of the tree (${node}) was changed, removed or inserted.`);
  }

  /** Compares the root with all checkpoints of the size that the tree has. */
  private passCheckpoints(): Finding | undefined {
    const { size } = this.tree;
    for (;;) {
      const checkpoint = this.checkpoints[this.passed];
      if (checkpoint === undefined || checkpoint.size > size) return undefined;
      if (!this.tree.root.equals(checkpoint.root)) {
        const first = this.passedSize;
        const text = `An event from index ${first} to ${size - 1} was changed together with its hash, as the checkpoint of ${checkpoint.time.toISOString()} shows.`;
        return this.report('changed', text, { index: first });
      }
      this.passed++;
      this.passedSize = size;
      this.passedTime = Math.max(this.passedTime, checkpoint.time.getTime());
    }
  }

  private checkPlace({ index, position, eventId }: StoredLeaf): Finding | undefined {
    const { size } = this.tree;
    if (index !== size) {
      const place = this.previous === undefined ? 'at the start' : `after event ${this.previous.eventId}`;
      return this.report('removed', `The leaf with index ${size}, ${place}, was removed.`, { index: size });
    }
    if (this.previous === undefined || position > this.previous.position) return undefined;
    return this.report('reordered', `Event ${eventId} was moved to index ${index}.`, { index, eventId });
  }

  private checkSeal(leaf: StoredLeaf): Finding | undefined {
    const { keys } = this.context;
    if (keys.length === 0) return undefined;
    const { seal, index, position, eventId } = leaf;
    if (seal === null && position < this.context.sealedFrom) return undefined;
    if (seal !== null && keys.some((key) => sealLeaf(key, leaf).equals(seal))) return undefined;
    return this.report('changed', `The leaf of event ${eventId} (index ${index}) was changed.`, { index, eventId });
  }

  private checkEvent({ event, eventId, index, hash, occurredAt }: StoredLeaf): Finding | undefined {
    const place = { index, eventId };
    const { deletedBefore } = this.context;
    if (event === undefined) {
      if (deletedBefore === undefined || occurredAt >= deletedBefore) {
        return this.report('removed', `Event ${eventId} (index ${index}) was removed.`, place);
      }
      this.deleted++;
      return undefined;
    }
    const hasChanged =
      !hashLeaf(canonicalEvent(event)).equals(hash) || event.occurredAt.getTime() !== occurredAt.getTime();
    if (hasChanged) return this.report('changed', `Event ${eventId} (index ${index}) was changed.`, place);
    if (occurredAt.getTime() >= this.passedTime - maxDelayMilliseconds) return undefined;
    const times = `it says that it occurred at ${occurredAt.toISOString()}, but was added after the checkpoint of ${new Date(this.passedTime).toISOString()}`;
    return this.report('inserted', `Event ${eventId} (index ${index}) was inserted: ${times}.`, place);
  }

  private findWrongNode(): string | undefined {
    const keys = new Set([...this.nodes.keys(), ...this.storedNodes.keys()]);
    return [...keys].find((key) => {
      const hash = this.nodes.get(key);
      return hash === undefined || this.storedNodes.get(key)?.equals(hash) !== true;
    });
  }

  private report(
    manipulation: Finding['manipulation'],
    text: string,
    place: { index?: number; eventId?: string } = {},
  ): Finding {
    return { treeId: this.treeId, manipulation, text, ...place };
  }
}

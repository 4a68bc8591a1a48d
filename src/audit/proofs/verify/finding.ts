type Manipulation = 'changed' | 'removed' | 'inserted' | 'reordered' | 'cut off';

/** The first manipulation that was found in a tree, or outside of all. */
export interface Finding {
  treeId: string;
  manipulation: Manipulation;
  /** Of the first leaf that is concerned. */
  index?: number;
  eventId?: string;
  /** A sentence. */
  text: string;
}

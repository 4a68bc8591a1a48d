/** The tree of events that belong to no organization. */
export const installationTree = '00000000-0000-0000-0000-000000000000';

const originPrefix = 'keycard/audit/';
const installationName = 'installation';

/** What a checkpoint states: the tree of this origin had this root when it had this size. */
export interface Checkpoint {
  treeId: string;
  size: number;
  root: Buffer;
  /** When it was made, by the database's clock. */
  time: Date;
}

/** Names the tree in the first line of its checkpoints, and in their signatures. */
export const originOf = (treeId: string) => `${originPrefix}${treeId === installationTree ? installationName : treeId}`;

/** The text of a checkpoint, without its signature (C2SP tlog-checkpoint). The time is an extension line. */
export const formatCheckpoint = ({ treeId, size, root, time }: Checkpoint) =>
  `${originOf(treeId)}\n${size}\n${root.toString('base64')}\nTime: ${time.toISOString()}\n`;

const pattern =
  /^keycard\/audit\/([0-9a-f-]{36}|installation)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\nTime: (\S{24})\n\n—/;

/** Reads a signed checkpoint; undefined if it's something else. Doesn't check the signature. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const [, name, size, root, time] = pattern.exec(note) ?? [];
  if (name === undefined || size === undefined || root === undefined || time === undefined) return undefined;
  const treeId = name === installationName ? installationTree : name;
  return { treeId, size: Number(size), root: Buffer.from(root, 'base64'), time: new Date(time) };
}

/** Splits a file of signed checkpoints, one after the other. */
export function splitCheckpoints(text: string): string[] {
  const notes: string[] = [];
  let start = 0;
  for (const { index, 0: line } of text.matchAll(/^— .*\n(?!— )\n*/gm)) {
    notes.push(text.slice(start, index + line.trimEnd().length + 1));
    start = index + line.length;
  }
  if (text.slice(start).trim() !== '') notes.push(text.slice(start));
  return notes;
}

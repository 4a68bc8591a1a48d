import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Lists the files below a folder, sorted and relative to it; none if the folder doesn't exist. */
export function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .sort();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Hashes names and contents: moving, changing, adding or removing a file changes the result. */
export function fingerprint(root, files, ...more) {
  const hash = createHash('sha256').update(JSON.stringify(more));
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Returns the content of a mark, or undefined. */
export function readMark(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

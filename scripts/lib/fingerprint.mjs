import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The files below a folder, sorted, as paths relative to it; none when there is no such folder. */
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

/** One hash of names and contents: a moved, changed, added or removed file gives another. */
export function fingerprint(root, files, ...more) {
  const hash = createHash('sha256').update(JSON.stringify(more));
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** What was written last, or nothing. */
export function readMark(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

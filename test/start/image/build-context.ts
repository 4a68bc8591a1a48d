import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A line of .dockerignore, as path segments. `*` is the only wildcard these tests understand. */
interface Pattern {
  isNegated: boolean;
  segments: string[];
}

/** Copies what `docker build .` sends to the builder: the checkout without the files that .dockerignore excludes. */
export function copyBuildContext(target: string): void {
  const patterns = readPatterns();
  cpSync('.', target, {
    recursive: true,
    filter: (source) => source === '.' || isIncluded(patterns, source),
  });
}

function readPatterns(): Pattern[] {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const segments = line.replace('!', '').split('/');
      if (segments.some((segment) => segment !== '*' && /[*?[]/.test(segment))) {
        throw new Error(`These tests can't read ${line} in .dockerignore.`);
      }
      return { isNegated: line.startsWith('!'), segments };
    });
}

/** The last pattern that matches a file or one of its folders counts. */
function isIncluded(patterns: Pattern[], file: string): boolean {
  const segments = file.split(path.sep);
  const last = patterns.findLast((pattern) =>
    pattern.segments.every((segment, index) => segment === '*' || segment === segments[index]),
  );
  return last === undefined || last.isNegated;
}

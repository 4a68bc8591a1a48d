import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../common/package-info.js';
import { fillIncludes, fillPlaceholders, numberParameters, type Placeholders, splitHeader } from './sql-text.js';

/** A statement for `pg`, from a `.sql` file. CONTRIBUTING.md describes the files. */
export class SqlStatement<Name extends string = string> {
  /**
   * @param files whose text it has: its own, then those it includes
   * @param header the comments that describe it and what it includes
   * @param text with numbered parameters
   * @param parameters their names, in order
   */
  constructor(
    readonly files: readonly string[],
    readonly header: string,
    readonly text: string,
    readonly parameters: readonly Name[],
  ) {}

  /** Returns the values in the order of the parameters. */
  bind(values: Readonly<Record<Name, unknown>>): unknown[] {
    const ordered = this.parameters.map((name) => {
      if (!(name in values)) throw new Error(`${this.files[0]} needs a value for :${name}.`);
      return values[name];
    });
    const names = Object.keys(values);
    if (names.length === ordered.length) return ordered;
    const unknown = names.filter((name) => !this.parameters.some((parameter) => parameter === name));
    throw new Error(`${this.files[0]} has no parameter ${unknown.map((name) => `:${name}`).join(', ')}.`);
  }
}

/** Text of a file that is part of statements, with its placeholders filled. */
export interface SqlFragment {
  readonly files: readonly string[];
  readonly text: string;
}

interface Filling {
  /** SQL for `{{name}}`. */
  readonly fragments?: Readonly<Record<string, string | SqlFragment>>;
  /** See `Placeholders`. */
  readonly lists?: Placeholders['lists'];
}

interface StatementOptions<Name extends string> extends Filling {
  /** The names of all parameters, in any order. */
  readonly parameters: readonly Name[];
}

/**
 * Loads a statement; call it once, when the module is loaded.
 *
 * @param file relative to src/
 * @throws Error if the names of its parameters or placeholders differ from the given ones
 */
export function loadStatement<const Name extends string>(
  file: string,
  { parameters: expected, ...placeholders }: StatementOptions<Name>,
): SqlStatement<Name> {
  try {
    const { files, text: whole } = fill(file, placeholders, (own, headers) => {
      const { header, body } = splitHeader(own);
      return `${header}${headers.join('')}\n${body}`;
    });
    const { header, body } = splitHeader(whole);
    const { text, parameters } = numberParameters(body);
    return new SqlStatement(files, header, text, inOrder(expected, parameters));
  } catch (error) {
    throw new Error(`${file} can't be loaded.`, { cause: error });
  }
}

/**
 * Loads a part of statements that each of them fills differently. One that is the same everywhere is included instead.
 *
 * @param file relative to src/
 */
export function loadFragment(file: string, filling: Filling): SqlFragment {
  return fill(file, filling, (text) => splitHeader(text).body);
}

/** Joins fragments, such as with `union all`. */
export function joinFragments(fragments: readonly SqlFragment[], separator: string): SqlFragment {
  return {
    files: [...new Set(fragments.flatMap(({ files }) => files))],
    text: fragments.map(({ text }) => text).join(`\n${separator}\n`),
  };
}

/** @param select returns the part of the text that is needed, from it and the headers of the files that it includes */
function fill(
  file: string,
  { fragments = {}, lists = {} }: Filling,
  select: (text: string, headers: readonly string[]) => string,
): SqlFragment {
  const files: string[] = [];
  const headers: string[] = [];
  const read = (name: string): string => {
    files.push(name);
    return fillIncludes(readSql(name), (included) => {
      const { header, body } = splitHeader(read(included));
      headers.push(header);
      return body;
    });
  };
  const texts = Object.entries(fragments).map(([name, fragment]) => {
    if (typeof fragment === 'string') return [name, fragment];
    files.push(...fragment.files);
    return [name, fragment.text];
  });
  const own = select(read(file), headers);
  files.unshift(file);
  return {
    files: [...new Set(files)],
    text: fillPlaceholders(own, { fragments: Object.fromEntries(texts) as Record<string, string>, lists }),
  };
}

/** Reads a file below src/; the bundle has a copy of it in dist/sql/. */
export function readSql(file: string): string {
  const isBundled = path.relative(projectFolder, import.meta.dirname).split(path.sep)[0] === 'dist';
  return readFileSync(path.join(projectFolder, isBundled ? 'dist/sql' : 'src', file), 'utf8');
}

function inOrder<Name extends string>(expected: readonly Name[], found: readonly string[]): Name[] {
  const missing = expected.filter((name) => !found.includes(name));
  const ordered = found.map((name) => {
    const match = expected.find((other) => other === name);
    if (match === undefined) throw new Error(`The parameter :${name} isn't declared.`);
    return match;
  });
  if (missing.length > 0) throw new Error(`There is no parameter ${missing.map((name) => `:${name}`).join(', ')}.`);
  return ordered;
}

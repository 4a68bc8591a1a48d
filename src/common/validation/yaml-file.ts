import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { errorCode, errorMessage } from '../errors/error-utils.js';
import { StartupError } from '../startup-error.js';

const maxFileBytes = 1024 * 1024;

interface YamlFileOptions {
  /** The environment variable that names the file. */
  variable: string;
  /** Completes "it must contain". */
  mustContain: string;
  /** Changes the document before it's converted. */
  prepare?: (document: Document.Parsed) => void;
}

/** A file of the operator. Errors list every problem with its place in the file, without secrets. */
export class YamlFile {
  constructor(
    private readonly file: string,
    private readonly options: YamlFileOptions,
  ) {}

  /** @throws StartupError if the file can't be read or isn't YAML */
  read(): unknown {
    const text = this.readText();
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    const problems = [...document.errors, ...document.warnings].map(({ message, pos }) => {
      const { line, col } = lineCounter.linePos(pos[0]);
      return `line ${line}, column ${col}: ${withoutQuotes(message)}`;
    });
    if (problems.length > 0) throw this.errorFor(problems);
    if (document.contents === null) {
      throw this.errorFor([`the file is empty; it must contain ${this.options.mustContain}`]);
    }
    this.options.prepare?.(document);
    try {
      // Omits empty fields (`field:`). Rejects aliases that expand without bounds.
      return document.toJS({ reviver: (_key, value: unknown) => value ?? undefined });
    } catch (error) {
      throw this.errorFor([withoutQuotes(errorMessage(error))]);
    }
  }

  /** @param problems sentences without a period */
  errorFor(problems: readonly string[]): StartupError {
    const lines = problems.map((problem) => `\n  ${path.basename(this.file)}: ${problem}`);
    return new StartupError(`${this.options.variable} ${this.file} must be corrected:${lines.join('')}`);
  }

  private readText(): string {
    const { variable } = this.options;
    try {
      const stats = statSync(this.file);
      if (!stats.isFile()) throw new StartupError(`${variable} must be a file; ${this.file} is not.`);
      if (stats.size > maxFileBytes) throw new StartupError(`${variable} ${this.file} must be at most 1 MB.`);
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(this.file));
    } catch (error) {
      if (error instanceof StartupError) throw error;
      const code = errorCode(error) ?? 'unknown reason';
      throw new StartupError(`${variable} ${this.file} ${readErrors[code] ?? `cannot be read (${code})`}.`);
    }
  }
}

const readErrors: Partial<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'must be readable by the user that runs Keycard',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'must be UTF-8 text',
};

/** The parser quotes parts of the file, which may contain a misplaced secret. */
function withoutQuotes(message: string): string {
  return message.replace(/:? ".*$/s, '');
}

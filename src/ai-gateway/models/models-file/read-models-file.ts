import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { errorCode, errorMessage } from '../../../common/errors/error-facts.js';
import { StartupError } from '../../../common/startup-error.js';
import type { ModelDefinition } from '../../../config/model-definition.js';
import { type ModelsFileContext, parseModels } from './parse-models.js';

/** What the file does not say and the service knows. */
export type ModelsFileSettings = Omit<ModelsFileContext, 'folder'>;

const largestFileBytes = 1024 * 1024;

/**
 * The models that the operator has defined in a YAML file.
 *
 * @param file its absolute path
 * @throws StartupError that lists everything that is wrong, with file and place, and never shows a secret
 */
export function readModelsFile(file: string, settings: ModelsFileSettings): ModelDefinition[] {
  const mistakes: string[] = [];
  const content = parseYaml(readText(file), mistakes);
  if (mistakes.length > 0) throw startupErrorOf(file, mistakes);
  const models = parseModels(content, { ...settings, folder: path.dirname(file) }, mistakes);
  if (mistakes.length > 0) throw startupErrorOf(file, mistakes);
  return models;
}

function startupErrorOf(file: string, mistakes: readonly string[]): StartupError {
  const lines = mistakes.map((mistake) => `\n  ${path.basename(file)}: ${mistake}`);
  return new StartupError(`MODELS_FILE ${file} must be corrected:${lines.join('')}`);
}

function readText(file: string): string {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new StartupError(`MODELS_FILE must be a file, and ${file} is not.`);
    if (stats.size > largestFileBytes) throw new StartupError(`MODELS_FILE ${file} must have at most 1 MB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`MODELS_FILE ${file} ${explainReadError(errorCode(error) ?? 'of an unknown reason')}.`);
  }
}

function explainReadError(code: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist';
    case 'EACCES':
      return 'must be readable by the user that runs Keycard';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'must be UTF-8 text';
    default:
      return `cannot be read (${code})`;
  }
}

function parseYaml(text: string, mistakes: string[]): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  for (const { message, pos } of [...document.errors, ...document.warnings]) {
    const { line, col } = lineCounter.linePos(pos[0]);
    mistakes.push(`line ${line}, column ${col}: ${withoutQuotes(message)}`);
  }
  if (mistakes.length > 0) return undefined;
  if (document.contents === null) mistakes.push('the file is empty; it must have a list "models"');
  try {
    // Refuses aliases that would grow without bounds.
    return document.toJS();
  } catch (error) {
    mistakes.push(withoutQuotes(errorMessage(error)));
    return undefined;
  }
}

/** What the parser quotes of the file may be a secret in the wrong place. */
function withoutQuotes(message: string): string {
  return message.replace(/:? ".*$/s, '');
}

import path from 'node:path';
import { z } from 'zod';
import { parseSettings } from '../../common/validation/settings-schema.js';
import { YamlFile } from '../../common/validation/yaml-file.js';
import type { SinkDefinition } from '../../config/sink-definition.js';
import { type SinksFileContext, sinksFileSchema } from './sinks-file.js';

/**
 * Reads the sinks that the operator declared in a YAML file.
 *
 * @param file its absolute path
 * @throws StartupError that lists every problem with its place in the file, without secrets
 */
export function readSinksFile(file: string, context: Omit<SinksFileContext, 'folder'>): readonly SinkDefinition[] {
  const yaml = new YamlFile(file, { variable: 'AUDIT_SINKS_FILE', mustContain: 'a list "sinks"' });
  const schema = sinksFileSchema({ ...context, folder: path.dirname(file) });
  const { settings, problems } = parseSettings(schema, yaml.read(), (place) => z.core.toDotPath(place) || 'the file');
  if (settings === undefined || problems.length > 0) throw yaml.errorFor(problems);
  return settings;
}

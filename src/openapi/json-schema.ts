import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;

/**
 * Rewrites the schemas that `@nestjs/swagger` writes for OpenAPI 3.0 in the JSON Schema dialect of 3.1: `examples`
 * instead of `example`, and a reference with its description instead of an `allOf` around it.
 */
export function toJsonSchema2020(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) convert(schema);
  visitSchemas(document.paths);
  visitSchemas(document.components?.headers ?? {});
  return document;
}

/** Converts the schemas of parameters, headers and contents. */
function visitSchemas(node: object): void {
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null || key.startsWith('example')) continue;
    if (key === 'schema') convert(value);
    else visitSchemas(value);
  }
}

function convert(schema: Schema): void {
  if ('$ref' in schema) return;
  const example: unknown = schema.example;
  const { allOf, anyOf, oneOf, items, properties } = schema;
  if (example !== undefined) {
    schema.examples = [example];
    delete schema.example;
  }
  const [only, ...others] = allOf ?? [];
  if (only !== undefined && '$ref' in only && others.length === 0) {
    delete schema.allOf;
    Object.assign(schema, only);
  }
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(items === undefined ? [] : [items])];
  for (const part of [...inner, ...Object.values(properties ?? {})]) convert(part);
}

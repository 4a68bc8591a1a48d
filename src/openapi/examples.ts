import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

type Schema = SchemaObject | ReferenceObject;

/** Adds complete examples to requests and JSON responses, composed of the examples of their fields. */
export function addExamples(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  for (const { operation } of operationsOf(document)) {
    const { requestBody } = operation;
    const content = requestBody === undefined || '$ref' in requestBody ? {} : requestBody.content;
    for (const [type, media] of Object.entries(content)) {
      if (media.schema === undefined) continue;
      if (type === 'application/json') media.examples = requestExamples(schemas, media.schema);
      else media.example = exampleOf(schemas, media.schema);
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
      const success = response.content?.['application/json'];
      if (success?.schema === undefined) continue;
      // All confirmations share a schema, so its example fits only one of them.
      success.example = isMessage(success.schema)
        ? { message: firstSentence(response.description) }
        : exampleOf(schemas, success.schema);
    }
  }
}

const isMessage = (schema: Schema) => '$ref' in schema && schema.$ref === '#/components/schemas/Message';
const firstSentence = (text: string) => text.replace(/(?<=\.) .*/s, '');

/** The first example is what a console sends; optional fields in it would change what the request does. */
function requestExamples(schemas: Record<string, Schema>, schema: Schema) {
  const { required = [], properties = {} } = resolve(schemas, schema);
  const complete = exampleOf(schemas, schema) as Record<string, unknown>;
  const basic = Object.fromEntries(required.map((name) => [name, complete[name]]));
  const isSame = required.length === Object.keys(properties).length;
  return {
    ...(required.length > 0 && !isSame && { basic: { summary: 'Required fields', value: basic } }),
    complete: { summary: 'All fields', value: complete },
  };
}

function exampleOf(schemas: Record<string, Schema>, schema: Schema): unknown {
  if (!('$ref' in schema) && schema.example !== undefined) return schema.example as unknown;
  const resolved = resolve(schemas, schema);
  // Another field of the object excludes this one.
  if (Array.isArray(resolved.examples) && resolved.examples.length === 0) return undefined;
  if (resolved.example !== undefined) return resolved.example as unknown;
  const { properties, items, anyOf = [], allOf = [], type } = resolved;
  const [alternative] = [...anyOf, ...allOf];
  if (alternative !== undefined) return exampleOf(schemas, alternative);
  if (items !== undefined) return [exampleOf(schemas, items)];
  if (type === 'null') return null;
  if (properties === undefined) return undefined;
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(schemas, field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function resolve(schemas: Record<string, Schema>, schema: Schema): SchemaObject {
  if (!('$ref' in schema)) return schema;
  return resolve(schemas, schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

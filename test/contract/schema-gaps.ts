import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;

/** Resolves a reference, including one inside an `allOf` with a description. */
export function resolve(document: OpenAPIObject, schema: Schema): SchemaObject {
  const reference = '$ref' in schema ? schema.$ref : referenceOf(schema);
  if (reference === undefined) return schema as SchemaObject;
  const target = document.components?.schemas?.[reference.split('/').at(-1) ?? ''];
  return target === undefined ? {} : resolve(document, target);
}

function referenceOf({ allOf }: SchemaObject): string | undefined {
  const [only] = allOf ?? [];
  return allOf?.length === 1 && only !== undefined && '$ref' in only ? only.$ref : undefined;
}

/** Returns what the fields of named schemas lack, as instructions. */
export function findSchemaGaps(document: OpenAPIObject): string[] {
  return Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => {
    const { description, properties = {} } = resolve(document, schema);
    const gaps = description ? [] : [`Schema ${name}: describe it with @ApiSchema({ description }).`];
    const ofFields = Object.entries(properties).flatMap(([field, value]) =>
      findValueGaps(document, `${name}.${field}`, value),
    );
    return [...gaps, ...ofFields];
  });
}

/** Returns what a field or parameter lacks, as instructions. */
function findValueGaps(document: OpenAPIObject, place: string, schema: Schema): string[] {
  const { description } = '$ref' in schema ? resolve(document, schema) : schema;
  const gaps = description ? [] : [`${place}: add a description.`];
  if (!('$ref' in schema) && schema.example === undefined && !holdsNamedSchema(schema)) {
    gaps.push(`${place}: add an example.`);
  }
  return [...gaps, ...findBoundGaps(document, place, schema)];
}

/** Whether it is an object or array of objects, whose fields have the examples. */
function holdsNamedSchema({ allOf, items }: SchemaObject): boolean {
  return referenceOf({ allOf }) !== undefined || (items !== undefined && '$ref' in items);
}

/** Returns missing bounds, which clients need to validate input. */
export function findBoundGaps(document: OpenAPIObject, place: string, schema: Schema): string[] {
  const value = resolve(document, schema);
  if (value.enum !== undefined || value.properties !== undefined || value.additionalProperties === true) return [];
  if (value.oneOf !== undefined) {
    return value.oneOf.flatMap((choice, index) => findBoundGaps(document, `${place}, choice ${index + 1}`, choice));
  }
  const { minLength, maxLength, pattern, format, minimum, maximum, minItems, maxItems } = value;
  switch (value.type ?? 'none') {
    case 'string':
      return require(place, [minLength, maxLength, pattern, format], 'minLength, maxLength, pattern, format or enum');
    case 'integer':
    case 'number':
      return require(place, [minimum, maximum, format], 'minimum, maximum or format');
    case 'boolean':
      return [];
    case 'array':
      return [
        ...require(place, [minItems, maxItems], 'minItems or maxItems'),
        ...findBoundGaps(document, `an item of ${place}`, value.items ?? {}),
      ];
    default:
      return [`${place}: add a type that clients can be generated from; it has ${JSON.stringify(value.type)}.`];
  }
}

function require(place: string, bounds: unknown[], names: string): string[] {
  return bounds.some((bound) => bound !== undefined) ? [] : [`${place}: add its bounds: ${names}.`];
}

import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

type Schema = SchemaObject | ReferenceObject;

/** Resolves a reference, including one that may be null. */
export function resolve(document: OpenAPIObject, schema: Schema): SchemaObject {
  if (!('$ref' in schema)) return schema;
  const target = document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''];
  return target === undefined ? {} : resolve(document, target);
}

/** Returns what the fields of named schemas lack, as instructions. */
export function findSchemaGaps(document: OpenAPIObject): string[] {
  return Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) => {
    const { description, properties = {}, required = [] } = resolve(document, schema);
    const gaps = description ? [] : [`Schema ${name}: describe it with @ApiSchema({ description }).`];
    const ofFields = Object.entries(properties).flatMap(([field, value]) =>
      findValueGaps(document, `${name}.${field}`, value, required.includes(field)),
    );
    return [...gaps, ...ofFields];
  });
}

/** Not all models accept the optional parameters of these, nor all of them together, and consoles send examples. */
const withOptionalExamples = /^(EmbeddingsRequest|OcrRequest|OcrUpload)\./;

/** Returns what a field lacks, as instructions. */
function findValueGaps(
  document: OpenAPIObject,
  place: string,
  schema: SchemaObject | ReferenceObject,
  isRequired: boolean,
): string[] {
  const description = (schema as SchemaObject).description ?? resolve(document, schema).description;
  const gaps = description ? [] : [`${place}: add a description.`];
  const mayLackExample = !isRequired && withOptionalExamples.test(place);
  if (!mayLackExample && !holdsNamedSchema(document, schema) && (schema as SchemaObject).examples === undefined) {
    gaps.push(`${place}: add an example.`);
  }
  return [...gaps, ...findBoundGaps(document, place, schema)];
}

/** Whether it is an object or array of objects, whose fields have the examples. */
function holdsNamedSchema(document: OpenAPIObject, schema: Schema): boolean {
  if ('$ref' in schema) return resolve(document, schema).properties !== undefined;
  const { anyOf = [], items } = schema;
  return anyOf.some((choice) => '$ref' in choice) || (items !== undefined && '$ref' in items);
}

/** Returns missing bounds, which clients need to validate input. */
export function findBoundGaps(document: OpenAPIObject, place: string, schema: Schema): string[] {
  const value = resolve(document, schema);
  if (value.enum !== undefined || value.properties !== undefined || value.additionalProperties === true) return [];
  const choices = value.oneOf ?? value.anyOf;
  if (choices !== undefined) {
    return choices.flatMap((choice, index) => findBoundGaps(document, `${place}, choice ${index + 1}`, choice));
  }
  const { minLength, maxLength, pattern, format, minimum, maximum, minItems, maxItems } = value;
  const [type = 'none'] = [value.type ?? []].flat().filter((one) => one !== 'null' || value.type === 'null');
  switch (type) {
    case 'string':
      return require(place, [minLength, maxLength, pattern, format], 'minLength, maxLength, pattern, format or enum');
    case 'integer':
    case 'number':
      return require(place, [minimum, maximum, format], 'minimum, maximum or format');
    case 'boolean':
    case 'null':
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

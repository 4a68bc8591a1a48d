import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AppError, invalidField } from '../../common/errors/app-error.js';

/** OpenAI's limits. */
export const largestInputCount = 2048;
export const largestTokenTotal = 300_000;

export const encodingFormats = ['float', 'base64'] as const;

@ApiSchema({ name: 'EmbeddingsRequest', description: 'Texts to embed.' })
export class EmbeddingsRequestDto {
  @ApiProperty({
    description: `A text, or 1 to ${largestInputCount} texts; none may be empty, and together they may have ${largestTokenTotal} tokens.`,
    oneOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 1, maxItems: largestInputCount, items: { type: 'string', minLength: 1 } },
    ],
    example: ['How do I reset my password?'],
  })
  input: string | string[];

  @ApiProperty({ description: 'Id of the model.', example: 'universal-sentence-encoder-lite', minLength: 1 })
  model: string;

  @ApiPropertyOptional({
    description: 'How vectors are written: as numbers, or as base64 of little-endian 32-bit floats.',
    enum: encodingFormats,
    default: 'float',
    example: 'float',
  })
  encoding_format?: (typeof encodingFormats)[number];

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Length of the vectors, at most that of the model; shorter ones are cut and normalised again.',
    minimum: 1,
    example: 256,
  })
  dimensions?: number;

  @ApiPropertyOptional({
    description: 'Your id of the end user; accepted and not used.',
    example: 'user-1234',
    minLength: 0,
  })
  user?: string;
}

/** A request whose every field has the right type; limits that depend on the model are checked later. */
export interface EmbeddingsRequest {
  model: string;
  texts: string[];
  encodingFormat: (typeof encodingFormats)[number];
  dimensions: number | undefined;
}

const knownFields = new Set(['input', 'model', 'encoding_format', 'dimensions', 'user']);

/**
 * Checks a body by hand: on this path class-validator would cost as much as all the rest.
 *
 * @throws AppError 400 that names the field
 */
export function parseEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('validation-failed', 'The body must be a JSON object.');
  }
  const unknownField = Object.keys(body).find((field) => !knownFields.has(field));
  if (unknownField !== undefined) {
    throw invalidField(unknownField.slice(0, 100), `The field '${unknownField.slice(0, 100)}' is not known here.`);
  }
  const fields: Partial<Record<keyof EmbeddingsRequestDto, unknown>> = body;
  if (typeof fields.model !== 'string' || fields.model === '') {
    throw invalidField('model', 'model must be the id of a model, as text.');
  }
  if (fields.user !== undefined && typeof fields.user !== 'string') throw invalidField('user', 'user must be text.');
  return {
    model: fields.model,
    texts: parseInput(fields.input),
    encodingFormat: parseEncodingFormat(fields.encoding_format),
    dimensions: parseDimensions(fields.dimensions),
  };
}

function parseInput(input: unknown): string[] {
  if (input === undefined) throw invalidField('input', 'input is required: a text or an array of texts.');
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (texts.length === 0) throw invalidField('input', 'input must have at least one text.');
  if (texts.length > largestInputCount) {
    throw invalidField('input', `input must have at most ${largestInputCount} texts; this one has ${texts.length}.`);
  }
  return texts.map((text, index) => parseText(text, Array.isArray(input) ? `input.${index}` : 'input'));
}

function parseText(text: unknown, field: string): string {
  if (typeof text === 'number' || Array.isArray(text)) {
    throw invalidField(
      'input',
      `${field} must be text: token ids are not accepted, they belong to another vocabulary.`,
    );
  }
  if (typeof text !== 'string') throw invalidField('input', `${field} must be text.`);
  if (text.trim() === '') throw invalidField('input', `${field} must not be empty.`);
  return text;
}

function parseEncodingFormat(format: unknown): EmbeddingsRequest['encodingFormat'] {
  if (format === undefined) return 'float';
  const known = encodingFormats.find((candidate) => candidate === format);
  if (known === undefined) {
    throw invalidField('encoding_format', `encoding_format must be one of ${encodingFormats.join(', ')}.`);
  }
  return known;
}

function parseDimensions(dimensions: unknown): number | undefined {
  if (dimensions === undefined) return undefined;
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions) || dimensions < 1) {
    throw invalidField('dimensions', 'dimensions must be a whole number of at least 1.');
  }
  return dimensions;
}

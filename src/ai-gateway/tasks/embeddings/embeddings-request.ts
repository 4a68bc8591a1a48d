import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { invalidField } from '../../../common/errors/app-error.js';

/** OpenAI's limits. */
export const maxInputs = 2048;
export const maxTotalTokens = 300_000;

export const encodingFormats = ['float', 'base64'] as const;
const outputDtypes = ['float', 'int8', 'uint8', 'binary', 'ubinary'] as const;

const tokenIds = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0 } } as const;

@ApiSchema({ name: 'EmbeddingsRequest', description: 'Texts to embed.' })
export class EmbeddingsRequestDto {
  @ApiProperty({
    description: `A text, or 1 to ${maxInputs} texts. Texts must not be empty, and have at most ${maxTotalTokens} tokens in total. Only upstream models accept token ids.`,
    oneOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', minItems: 1, maxItems: maxInputs, items: { type: 'string', minLength: 1 } },
      { ...tokenIds, maxItems: maxTotalTokens },
      { type: 'array', minItems: 1, maxItems: maxInputs, items: { ...tokenIds, maxItems: maxTotalTokens } },
    ],
    example: ['How do I reset my password?'],
  })
  input: string | string[] | number[] | number[][];

  @ApiProperty({ description: 'Id of the model.', example: 'universal-sentence-encoder-lite', minLength: 1 })
  model: string;

  @ApiPropertyOptional({
    description: 'Format of the vectors: numbers (the default), or base64 of little-endian 32-bit floats.',
    enum: encodingFormats,
    example: 'float',
  })
  encoding_format?: (typeof encodingFormats)[number];

  @ApiPropertyOptional({
    type: 'integer',
    description: "Length of the vectors, at most the model's. Shorter vectors are truncated and normalized again.",
    minimum: 1,
    example: 256,
  })
  dimensions?: number;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: "Mistral's name for `dimensions`. Send only one of them.",
    minimum: 1,
  })
  output_dimension?: number | null;

  @ApiPropertyOptional({
    description: "Mistral's type of the numbers. Models inside Keycard return floats only.",
    enum: outputDtypes,
    example: 'float',
  })
  output_dtype?: (typeof outputDtypes)[number];

  @ApiPropertyOptional({
    description: 'Accepted for compatibility; ignored.',
    example: 'user-1234',
    minLength: 0,
  })
  user?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Accepted for compatibility; ignored.',
    example: { team: 'search' },
  })
  metadata?: Record<string, unknown> | null;
}

/** A request with valid fields. Limits that depend on the model are checked later. */
export interface EmbeddingsRequest {
  model: string;
  texts: string[];
  encodingFormat: (typeof encodingFormats)[number];
  dimensions: number | undefined;
}

/** A field of the body. */
export type EmbeddingsField = keyof EmbeddingsRequestDto;

/*
 * Fields are checked by hand, each as it arrives: class-validator would cost as much as the rest of the request. Each
 * function throws an AppError 400 that names the field.
 */

export function parseField(name: string): EmbeddingsField {
  switch (name) {
    case 'input':
    case 'model':
    case 'encoding_format':
    case 'dimensions':
    case 'output_dimension':
    case 'output_dtype':
    case 'user':
    case 'metadata':
      return name;
    default:
      throw invalidField(name.slice(0, 100), `The field '${name.slice(0, 100)}' is unknown.`);
  }
}

/** @param place of the text, such as `input.7` */
export function parseText(text: unknown, place: string): string {
  if (typeof text === 'number' || Array.isArray(text)) {
    throw invalidField('input', `${place} must be a string: token ids of other vocabularies are not accepted.`);
  }
  if (typeof text !== 'string') throw invalidField('input', `${place} must be a string.`);
  if (text.trim() === '') throw invalidField('input', `${place} must not be empty.`);
  return text;
}

/** @param texts undefined if `input` is missing */
export function parseTexts(texts: string[] | undefined): string[] {
  if (texts === undefined) throw invalidField('input', 'input is required: a string or an array of strings.');
  if (texts.length === 0) throw invalidField('input', 'input must contain at least one text.');
  return texts;
}

/** @param count number of texts so far */
export function checkTextCount(count: number): void {
  if (count > maxInputs) throw invalidField('input', `input must contain at most ${maxInputs} texts.`);
}

export function parseEncodingFormat(format: unknown): EmbeddingsRequest['encodingFormat'] {
  const known = encodingFormats.find((candidate) => candidate === format);
  if (known !== undefined) return known;
  throw invalidField('encoding_format', `encoding_format must be one of ${encodingFormats.join(', ')}.`);
}

/** @param field `dimensions`, or Mistral's `output_dimension` */
export function parseDimensions(dimensions: unknown, field: 'dimensions' | 'output_dimension'): number {
  if (typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions >= 1) return dimensions;
  throw invalidField(field, `${field} must be an integer of at least 1.`);
}

export function checkOutputDtype(dtype: unknown): void {
  if (dtype === 'float') return;
  throw invalidField('output_dtype', 'output_dtype must be float: this model returns no other numbers.');
}

export function checkUser(user: unknown): void {
  if (typeof user !== 'string') throw invalidField('user', 'user must be a string.');
}

/** The content of an object isn't read. */
export function checkMetadata(metadata: unknown): void {
  if (typeof metadata === 'object' && !Array.isArray(metadata)) return;
  throw invalidField('metadata', 'metadata must be an object or null.');
}

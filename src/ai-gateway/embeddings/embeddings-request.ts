import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { invalidField } from '../../common/errors/app-error.js';

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

/** A field of the body. */
export type EmbeddingsField = keyof EmbeddingsRequestDto;

/*
 * The fields are checked by hand, one by one as they arrive: class-validator would cost as much as everything else on
 * this path. Each function throws an AppError 400 that names the field.
 */

export function parseField(name: string): EmbeddingsField {
  switch (name) {
    case 'input':
    case 'model':
    case 'encoding_format':
    case 'dimensions':
    case 'user':
      return name;
    default:
      throw invalidField(name.slice(0, 100), `The field '${name.slice(0, 100)}' is not known here.`);
  }
}

export function parseModel(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model;
  throw invalidField('model', 'model must be the id of a model, as text.');
}

/** @param place of the text, such as `input.7` */
export function parseText(text: unknown, place: string): string {
  if (typeof text === 'number' || Array.isArray(text)) {
    throw invalidField(
      'input',
      `${place} must be text: token ids are not accepted, they belong to another vocabulary.`,
    );
  }
  if (typeof text !== 'string') throw invalidField('input', `${place} must be text.`);
  if (text.trim() === '') throw invalidField('input', `${place} must not be empty.`);
  return text;
}

/** @param texts undefined when `input` is missing */
export function parseTexts(texts: string[] | undefined): string[] {
  if (texts === undefined) throw invalidField('input', 'input is required: a text or an array of texts.');
  if (texts.length === 0) throw invalidField('input', 'input must have at least one text.');
  return texts;
}

/** @param count how many texts `input` has at least */
export function checkTextCount(count: number): void {
  if (count > largestInputCount) throw invalidField('input', `input must have at most ${largestInputCount} texts.`);
}

export function parseEncodingFormat(format: unknown): EmbeddingsRequest['encodingFormat'] {
  const known = encodingFormats.find((candidate) => candidate === format);
  if (known !== undefined) return known;
  throw invalidField('encoding_format', `encoding_format must be one of ${encodingFormats.join(', ')}.`);
}

export function parseDimensions(dimensions: unknown): number {
  if (typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions >= 1) return dimensions;
  throw invalidField('dimensions', 'dimensions must be a whole number of at least 1.');
}

export function checkUser(user: unknown): void {
  if (typeof user !== 'string') throw invalidField('user', 'user must be text.');
}

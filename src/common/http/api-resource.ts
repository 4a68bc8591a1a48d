import { applyDecorators } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiParam, ApiPropertyOptions } from '@nestjs/swagger';
import { ApiPathErrors, problemContent } from '../errors/api-errors.js';

const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/** Documents the `:id` of a path, and that it may be unknown. */
export const ApiId = (thing: string) =>
  applyDecorators(
    ApiParam({
      name: 'id',
      description: `Identifier of the ${thing}.`,
      schema: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, example: exampleId },
    }),
    ApiPathErrors(problemContent),
    ApiNotFoundResponse({ ...problemContent, description: `The organization has no ${thing} with this id.` }),
  );

/** Documents what else may stand in the way of a change. */
export const ApiConflict = (description: string) => ApiConflictResponse({ ...problemContent, description });

/** The header of a 201 that tells the path of what was created. */
export const locationHeader = (thing: string, collection: string) => ({
  Location: {
    description: `Path of the ${thing}; its last part is the id.`,
    schema: { type: 'string', format: 'uri-reference', pattern: `^${collection}/[0-9a-f-]{36}$` } as const,
    example: `${collection}/${exampleId}`,
  },
});

/** The header of an answer that holds a secret. */
export const noStoreHeader = {
  'Cache-Control': {
    description: 'Always `no-store`: what is shown once is not to be kept on its way.',
    schema: { type: 'string' as const, enum: ['no-store'] },
    example: 'no-store',
  },
};

/** Of the field that identifies a thing. */
export const idProperty = (thing: string): ApiPropertyOptions => ({
  description: `Identifier of the ${thing}.`,
  example: exampleId,
  format: 'uuid',
});

/** Of a field that tells when something happens. */
export const timeProperty = (description: string): ApiPropertyOptions => ({
  description: `${description} (ISO 8601, UTC, milliseconds).`,
  example: '2026-01-31T09:30:00.123Z',
  format: 'date-time',
});

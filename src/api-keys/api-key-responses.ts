import { applyDecorators } from '@nestjs/common';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiParam } from '@nestjs/swagger';
import { problemContent } from '../common/errors/api-errors.js';

/** Documents that a route takes the id of a key in its path, and what it answers when there is none. */
export const ApiKeyId = () =>
  applyDecorators(
    ApiParam({
      name: 'id',
      description: 'Identifier of the key.',
      schema: {
        type: 'string',
        format: 'uuid',
        minLength: 36,
        maxLength: 36,
        example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
      },
    }),
    ApiBadRequestResponse({ ...problemContent, description: 'Malformed URL.' }),
    ApiNotFoundResponse({ ...problemContent, description: 'The organization has no key with this id.' }),
  );

/** The header of every answer that holds a full key, as the OpenAPI document describes it. */
export const noStoreHeader = {
  'Cache-Control': {
    description: 'Always `no-store`: the full key is not to be kept on its way.',
    schema: { type: 'string' as const, enum: ['no-store'] },
    example: 'no-store',
  },
};

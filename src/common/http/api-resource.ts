import { applyDecorators, Header, Param, type PipeTransform } from '@nestjs/common';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiParam } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { problemContent } from '../errors/api-errors.js';
import { notFound } from '../errors/app-error.js';

const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/**
 * Returns ids in lower case, as PostgreSQL does: ids are compared and hashed as text. Gives malformed ids the same response
 * as unknown ones.
 */
class IdPipe implements PipeTransform<string, string> {
  constructor(private readonly resource: string) {}

  transform(id: string): string {
    if (!isUUID(id)) throw notFound(this.resource);
    return id.toLowerCase();
  }
}

/**
 * The `:id` of a path, a UUID in either case. Documents the parameter and its 404, and rejects malformed ids with that 404.
 *
 * @param resource such as `API key`
 * @param name of the parameter, if it isn't `id`
 */
export function IdParam(resource: string, name = 'id'): ParameterDecorator {
  const document = applyDecorators(
    ApiParam({
      name,
      description: `Id of the ${resource}.`,
      schema: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, example: exampleId },
    }),
    ApiBadRequestResponse({ ...problemContent, description: 'Malformed URL.' }),
    ApiNotFoundResponse({ ...problemContent, description: notFound(resource).message }),
  );
  return (target, method, index) => {
    Param(name, new IdPipe(resource))(target, method, index);
    if (method !== undefined) document(target, method, Object.getOwnPropertyDescriptor(target, method));
  };
}

/** Sends `Cache-Control: no-store`, for responses with a secret. */
export const NoStore = () => Header('Cache-Control', 'no-store');

/** OpenAPI text of an id field. */
export const idProperty = (resource: string) => ({
  description: `Id of the ${resource}.`,
  example: exampleId,
  format: 'uuid',
});

/** OpenAPI text of a timestamp field. */
export const timeProperty = (description: string) => ({
  description: `${description} (ISO 8601, UTC, milliseconds).`,
  example: '2026-01-31T09:30:00.123Z',
  format: 'date-time',
});

import type { OperationObject, ResponseObject } from '@nestjs/swagger';
import { error, forbidden, operation, rateLimits } from '../../openapi.js';
import type { RouteGroup } from '../../route-group.js';
import { AuthorizeService } from './authorize.service.js';

export const authorizeTask: RouteGroup = {
  routes: AuthorizeService,
  schemas: [],
  paths: () => ({ '/v1/authorize': { get: authorize('authorize'), post: authorize('authorizePost') } }),
};

function authorize(operationId: string): OperationObject {
  return operation(operationId, {
    summary: 'Authorize a request to a service',
    description:
      'For reverse proxies, which forward the API key of a request. They let it through on 204. A body is ignored.',
    tags: ['Services'],
    parameters: [
      {
        name: 'service',
        in: 'query',
        description: 'Name of the service, as declared in the models file. `authorize` if omitted.',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
    ],
    responses: {
      204: { description: 'The API key may be used.', headers: { ...rateLimits, ...keyHeaders } },
      400: error('Invalid or repeated parameter; `param` names it.'),
      403: forbidden(
        'The API key is disabled, or may not be used from this address or for this service.',
        'service-not-allowed',
      ),
      404: error('Service not found.', ['service-not-found']),
    },
  });
}

/** The API key that a request was authorized with. */
const keyHeaders: ResponseObject['headers'] = {
  'x-keycard-key-id': {
    description: 'Id of the API key.',
    schema: { type: 'string', format: 'uuid' },
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
  },
  'x-keycard-key-name': {
    description: 'Name of the API key, percent-encoded as UTF-8.',
    schema: { type: 'string', minLength: 2 },
    example: 'Search%20indexer',
  },
  'x-keycard-organization-id': {
    description: 'Id of the organization that the API key belongs to.',
    schema: { type: 'string', format: 'uuid' },
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
  },
  'Cache-Control': { description: 'Always `no-store`.', schema: { type: 'string', enum: ['no-store'] } },
};

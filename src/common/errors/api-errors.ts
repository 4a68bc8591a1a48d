import { applyDecorators } from '@nestjs/common';
import { ApiBadRequestResponse, ApiPayloadTooLargeResponse, ApiUnsupportedMediaTypeResponse } from '@nestjs/swagger';

/** The OpenAPI content of an error of a management route. */
export const problemContent = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** Documents what a management route with a JSON body can answer to a bad one. */
export const ApiBodyErrors = () =>
  applyDecorators(
    ApiBadRequestResponse({ ...problemContent, description: 'The body is not valid; `errors` names the fields.' }),
    ApiPayloadTooLargeResponse({ ...problemContent, description: 'The body is larger than 100 KB.' }),
    ApiUnsupportedMediaTypeResponse({ ...problemContent, description: 'The body is not sent as JSON.' }),
  );

import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, getSchemaPath, type OperationObject } from '@nestjs/swagger';

const extension = 'x-upload';

/**
 * Documents that a route takes its body as a form, too. Nest's own decorators know one schema for all content types
 * of a body, so the schema of the form is kept in an extension until the document is complete.
 */
export const ApiUpload = (form: Type) =>
  applyDecorators(ApiExtraModels(form), ApiExtension(extension, { schema: { $ref: getSchemaPath(form) } }));

/** Moves the schema of a form to where it belongs. */
export function documentUpload(operation: OperationObject & { [extension]?: { schema: { $ref: string } } }): void {
  const { [extension]: form, requestBody } = operation;
  if (form === undefined || requestBody === undefined || '$ref' in requestBody) return;
  requestBody.content['multipart/form-data'] = form;
  delete operation[extension];
}

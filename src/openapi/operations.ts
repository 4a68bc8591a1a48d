import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';

export interface Operation {
  method: string;
  path: string;
  operation: OperationObject;
}

/** All operations of the document. */
export function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'put', 'post', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

/** Whether errors of the route have OpenAI's format. */
export const isAiPath = (path: string) => path.startsWith('/v1/');

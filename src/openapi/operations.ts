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

/** Format of a route's errors: of OpenAI, of Anthropic, of OAuth (RFC 6749), or problems (RFC 9457). */
export type ErrorFormat = 'openAi' | 'anthropic' | 'oauth' | 'problem';

export function errorFormatOf(path: string): ErrorFormat {
  if (path.startsWith('/v1/messages')) return 'anthropic';
  if (path.startsWith('/v1/')) return 'openAi';
  return path === '/auth/token' ? 'oauth' : 'problem';
}

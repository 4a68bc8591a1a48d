import type { OpenAPIObject } from '@nestjs/swagger';
import { allEventTypes, type EventType, eventTypes, examplePayload } from './event-types.js';

/** Describes the requests that webhooks get, in the section `webhooks` of OpenAPI 3.1. */
export function describeEvents(): Pick<OpenAPIObject, 'paths'>['paths'] {
  return Object.fromEntries(allEventTypes.map((type) => [type, { post: describe(type) }]));
}

const headers = [
  ['webhook-id', 'Id of the event. The same in all attempts: ignore events that you have already processed.', 'string'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970.', 'integer'],
  ['webhook-signature', 'Signatures, separated by spaces; see Standard Webhooks.', 'string'],
] as const;

function describe(type: EventType) {
  const name = type.replaceAll(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase());
  return {
    operationId: `${name}Event`,
    summary: type,
    description: eventTypes[type].description,
    tags: ['Webhooks'],
    security: [],
    parameters: headers.map(([header, description, kind]) => ({
      name: header,
      in: 'header' as const,
      required: true,
      description,
      schema: { type: kind },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/WebhookEvent' }, example: examplePayload(type) },
      },
    },
    responses: {
      '2XX': { description: 'The event was received. Any other status, and no response within 15 s, is retried.' },
      410: { description: 'Disables the webhook.' },
    },
  };
}

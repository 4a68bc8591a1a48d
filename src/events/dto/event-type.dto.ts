import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { allEventTypes, type EventType, eventTypeEnum, eventTypes, examplePayload } from '../event-types.js';

const example = examplePayload('api_key.created');

@ApiSchema({ name: 'EventTypeDetails', description: 'A type of event, with its description and an example.' })
class EventTypeDto {
  @ApiProperty({ description: 'Identifier of the type.', ...eventTypeEnum, example: example.type })
  name: EventType;

  @ApiProperty({
    description: 'When it happens.',
    example: eventTypes['api_key.created'].description,
    minLength: 1,
  })
  description: string;

  @ApiProperty({ description: 'Whether webhooks can choose it.', example: true })
  choosable: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'An example of the body that webhooks get.',
    example,
  })
  example: Record<string, unknown>;
}

@ApiSchema({ name: 'EventTypeList', description: 'All types of events.' })
export class EventTypeListDto {
  @ApiProperty({
    type: [EventTypeDto],
    description: 'All types, by subject.',
    minItems: 1,
    maxItems: allEventTypes.length,
  })
  eventTypes: EventTypeDto[];
}

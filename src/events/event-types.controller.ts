import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../access/declare-access.js';
import { EventTypeListDto } from './dto/event-type.dto.js';
import { allEventTypes, choosableTypes, eventTypes, examplePayload } from './event-types.js';

@ApiTags('Webhooks')
@Controller('event-types')
export class EventTypesController {
  /**
   * List event types
   *
   * @remarks Every type of event, with a description and an example of what webhooks get.
   */
  @Get()
  @SignedIn({ serviceAccounts: true })
  @ApiOkResponse({ type: EventTypeListDto, description: 'The event types.' })
  listEventTypes(): EventTypeListDto {
    return {
      eventTypes: allEventTypes.map((name) => ({
        name,
        description: eventTypes[name].description,
        choosable: choosableTypes.includes(name),
        example: examplePayload(name),
      })),
    };
  }
}

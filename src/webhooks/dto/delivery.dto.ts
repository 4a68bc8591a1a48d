import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';
import { type EventType, eventTypeEnum, examplePayload } from '../../events/event-types.js';

export const deliveryStatuses = ['waiting', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryKinds = ['event', 'redelivery', 'test'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Characters of a response that are kept. */
export const keptResponseLength = 1024;

const exampleEvent = examplePayload('api_key.created');

export class ListDeliveriesQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Only deliveries with this status.', enum: deliveryStatuses })
  @OptionalField()
  @IsOneOf(deliveryStatuses)
  status?: DeliveryStatus;
}

@ApiSchema({ name: 'WebhookAttempt', description: 'An attempt to deliver an event.' })
export class WebhookAttemptDto {
  @ApiProperty(timeProperty('When the attempt began'))
  at: string;

  @ApiProperty({ type: 'integer', description: 'How long it took, in milliseconds.', example: 87, minimum: 0 })
  durationMs: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the response; null without one.',
    example: 204,
    minimum: 100,
    maximum: 999,
  })
  status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why there is no response; null if there is one.',
    example: null,
    minLength: 1,
  })
  error: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'First kilobyte of the response; null without one.',
    example: '',
    maxLength: keptResponseLength,
  })
  response: string | null;
}

@ApiSchema({ name: 'WebhookEvent', description: 'What is sent to a webhook.' })
export class WebhookEventDto {
  @ApiProperty({ description: 'Type of the event.', ...eventTypeEnum, example: exampleEvent.type })
  type: EventType;

  @ApiProperty(timeProperty('When the event happened'))
  timestamp: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Ids and names of what the event is about; see `GET /event-types`.',
    example: exampleEvent.data,
  })
  data: Record<string, unknown>;
}

@ApiSchema({ name: 'WebhookDelivery', description: 'The delivery of an event to a webhook.' })
export class WebhookDeliveryDto {
  @ApiProperty(idProperty('delivery'))
  id: string;

  @ApiProperty({
    ...idProperty('event'),
    description: 'Id of the event, sent as `webhook-id`. The same in all attempts and redeliveries.',
  })
  eventId: string;

  @ApiProperty({
    enum: deliveryKinds,
    description:
      '`event`: delivered in order, and retried. `redelivery` and `test`: requested by a user, and attempted once.',
    example: 'event',
  })
  kind: DeliveryKind;

  @ApiProperty({ enum: deliveryStatuses, description: 'Whether the delivery succeeded.', example: 'succeeded' })
  status: DeliveryStatus;

  @ApiProperty({ type: [WebhookAttemptDto], description: 'Attempts, oldest first.', minItems: 0 })
  attempts: WebhookAttemptDto[];

  @ApiProperty({
    ...timeProperty('Earliest time of the next attempt; null if none follows'),
    type: String,
    nullable: true,
    example: null,
  })
  nextAttemptAt: string | null;

  @ApiProperty(timeProperty('When the delivery was added'))
  createdAt: string;

  /** Body of the requests. */
  event: WebhookEventDto;
}

@ApiSchema({ name: 'WebhookDeliveryList', description: 'A page of deliveries.' })
export class WebhookDeliveryListDto extends PagingDto {
  @ApiProperty({
    type: [WebhookDeliveryDto],
    description: 'Deliveries of the last 30 days on this page, newest first.',
    maxItems: 100,
  })
  deliveries: WebhookDeliveryDto[];
}

@ApiSchema({ name: 'NewWebhookDelivery', description: 'A delivery that was added to the queue.' })
export class NewWebhookDeliveryDto {
  @ApiProperty(idProperty('delivery'))
  id: string;
}

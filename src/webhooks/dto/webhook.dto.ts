import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { PagingDto } from '../../common/validation/paging.dto.js';
import { choosableTypes, type EventType } from '../../events/event-types.js';
import { maxUrlLength } from '../webhook-url.js';
import { type DisabledReason, disabledReasons } from '../webhook.entity.js';
import { WebhookAttemptDto } from './delivery.dto.js';

const maxGracePeriodSeconds = 7 * 24 * 3600;
const gracePeriodMessage = `$property must be an integer between 0 and ${maxGracePeriodSeconds} (7 days)`;
const urlMessage = `$property must be a URL of at most ${maxUrlLength} characters`;

const urlProperty = {
  description:
    'URL that events are sent to with `POST`. Must begin with `https://` and lead to a public IP address; `WEBHOOK_ALLOWED_NETWORKS` allows others.',
  example: 'https://example.com/webhooks/keycard',
  minLength: 1,
  maxLength: maxUrlLength,
};

const eventTypesProperty = {
  type: 'array' as const,
  items: { type: 'string' as const, enum: [...choosableTypes] },
  nullable: true,
  minItems: 1,
  maxItems: choosableTypes.length,
  uniqueItems: true,
  description: 'Types of events to send; see `GET /event-types`. Null means all, including future ones.',
  example: ['api_key.expiring', 'limit.exhausted'],
};

const enabledProperty = { description: 'Whether events are sent.', example: true };

const IsEventTypes = () =>
  ValidateBy({
    name: 'isEventTypes',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        value.length > 0 &&
        new Set(value).size === value.length &&
        value.every((type) => choosableTypes.some((known) => known === type)),
      defaultMessage: (details) =>
        `${details?.property} must be null, or a list of event types, such as api_key.created, each once`,
    },
  });

@ApiSchema({ name: 'CreateWebhook', description: 'New webhook settings.' })
export class CreateWebhookDto {
  @ApiProperty(urlProperty)
  @Trimmed()
  @IsString({ message: urlMessage })
  @MaxLength(maxUrlLength, { message: urlMessage })
  url: string;

  @ApiPropertyOptional({ ...eventTypesProperty, default: null })
  @OptionalField({ nullable: true })
  @IsEventTypes()
  eventTypes?: EventType[] | null;

  @ApiPropertyOptional({ ...enabledProperty, default: true })
  @OptionalField()
  @IsBoolean({ message: '$property must be true or false' })
  enabled?: boolean;
}

@ApiSchema({ name: 'UpdateWebhook', description: 'Webhook settings to change.' })
export class UpdateWebhookDto {
  @ApiPropertyOptional(urlProperty)
  @OptionalField()
  @Trimmed()
  @IsString({ message: urlMessage })
  @MaxLength(maxUrlLength, { message: urlMessage })
  url?: string;

  @ApiPropertyOptional(eventTypesProperty)
  @OptionalField({ nullable: true })
  @IsEventTypes()
  eventTypes?: EventType[] | null;

  @ApiPropertyOptional({
    ...enabledProperty,
    description: 'Whether events are sent. Enabling retries waiting deliveries immediately.',
  })
  @OptionalField()
  @IsBoolean({ message: '$property must be true or false' })
  enabled?: boolean;
}

@ApiSchema({ name: 'RotateWebhookSecret', description: 'Rotation settings.' })
export class RotateWebhookSecretDto {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'How long deliveries are signed with the current secret too, in seconds. 0 stops it immediately.',
    example: 86_400,
    default: 86_400,
    minimum: 0,
    maximum: maxGracePeriodSeconds,
  })
  @OptionalField()
  @IsInt({ message: gracePeriodMessage })
  @Min(0, { message: gracePeriodMessage })
  @Max(maxGracePeriodSeconds, { message: gracePeriodMessage })
  gracePeriodSeconds = 86_400;
}

@ApiSchema({ name: 'WebhookSecret', description: 'A webhook and its signing secret.' })
export class WebhookSecretDto {
  @ApiProperty(idProperty('webhook'))
  id: string;

  @ApiProperty({
    description:
      'Verifies deliveries, with any Standard Webhooks library. Store it now: no other response contains it.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwRZx4kq0v5Qw=',
    pattern: '^whsec_[0-9A-Za-z+/]{43}=$',
  })
  secret: string;
}

@ApiSchema({ name: 'Webhook', description: 'A URL that events are sent to. Its secret is never included.' })
export class WebhookDto {
  @ApiProperty(idProperty('webhook'))
  id: string;

  @ApiProperty(urlProperty)
  url: string;

  @ApiProperty(eventTypesProperty)
  eventTypes: EventType[] | null;

  @ApiProperty(enabledProperty)
  enabled: boolean;

  @ApiProperty({
    type: String,
    enum: disabledReasons,
    nullable: true,
    description:
      'Why Keycard disabled it: `failing` if the last attempt failed, `gone` if it responded 410. Null if it is enabled, or a user disabled it.',
    example: null,
  })
  disabledReason: DisabledReason | null;

  @ApiProperty({
    type: WebhookAttemptDto,
    nullable: true,
    description:
      'Latest failed attempt of the delivery that is being retried. Null if none is, or the webhook is disabled.',
  })
  failedAttempt: WebhookAttemptDto | null;

  @ApiProperty(timeProperty('When the webhook was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the webhook was last changed'))
  updatedAt: string;

  @ApiPropertyOptional(
    timeProperty('Until when deliveries are signed with the previous secret too; absent without one'),
  )
  previousSecretExpiresAt?: string;
}

@ApiSchema({ name: 'WebhookList', description: 'A page of webhooks.' })
export class WebhookListDto extends PagingDto {
  @ApiProperty({ type: [WebhookDto], description: 'Webhooks on this page, newest first.', maxItems: 100 })
  webhooks: WebhookDto[];
}

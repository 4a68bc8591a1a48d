import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';

/** What may need attention, most urgent first. */
export const attentionKinds = [
  'leaked-keys',
  'failing-upstreams',
  'failing-webhooks',
  'keys-near-limits',
  'expiring-keys',
  'keys-known-to-former-members',
  'unused-keys',
  'members-never-signed-in',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Of leaked, expiring, known and unused keys, at most this many are counted. */
export const maxCount = 1000;

/** How many of each kind are named. */
export const maxNamed = 5;

@ApiSchema({ name: 'AttentionItem', description: 'Something that needs attention.' })
export class AttentionItemDto {
  @ApiProperty({
    description: 'Id of the key, webhook or member (`GET /api-keys/{id}`, for example), or of the model.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    minLength: 1,
  })
  id: string;

  @ApiProperty({
    description: 'Name of the key or member, host of the webhook or upstream.',
    example: 'Search indexer',
    minLength: 1,
  })
  name: string;

  @ApiPropertyOptional({ description: 'First characters of an API key.', example: 'kc_4fT9q', minLength: 1 })
  hint?: string;

  @ApiPropertyOptional(
    timeProperty(
      'When the key leaked, expires, was last used, or if it never was, was created; when the last former member who knows the key left; when the member joined; when the upstream last failed',
    ),
  )
  at?: string;

  @ApiPropertyOptional(
    timeProperty(
      'When the previous secret expires, if former members know only that one. Only of keys known to former members',
    ),
  )
  previousSecretExpiresAt?: string;

  @ApiPropertyOptional({
    description:
      'Used percentage of the budget that is closest to its maximum, rounded down to thousandths. Only of keys near their limits.',
    example: 92.5,
    minimum: 0,
  })
  usedPercent?: number;

  @ApiPropertyOptional({
    description:
      'Whether the leaked key is disabled, or Keycard disabled the webhook because its deliveries failed. Only of leaked keys and webhooks.',
    example: false,
  })
  isDisabled?: boolean;
}

@ApiSchema({ name: 'Attention', description: 'Things of one kind that need attention.' })
export class AttentionDto {
  @ApiProperty({
    description:
      '`leaked-keys`: a secret was reported as leaked, and not revoked since; the key may be disabled. `failing-upstreams`: requests are withheld after repeated failures, as seen by the replica that sent this response. `failing-webhooks`: deliveries fail, or failed until Keycard disabled the webhook. `keys-near-limits`: at least 80% of a budget, which is a limit per day, week or month, is used. `expiring-keys`: active keys that expire within 7 days, except those with `deleteWhenExpired`. `keys-known-to-former-members`: active keys with a secret that former members or deleted service accounts received and that is still accepted. `unused-keys`: active keys not used for 90 days. `members-never-signed-in`: members without a sign-in since their account was created; leaves out accounts older than the audit log.',
    enum: attentionKinds,
    example: 'expiring-keys',
  })
  kind: AttentionKind;

  @ApiProperty({
    type: 'integer',
    description: 'How many there are. Of keys, except those near limits, 1,000 means 1,000 or more.',
    example: 3,
    minimum: 0,
  })
  count: number;

  @ApiProperty({
    type: [AttentionItemDto],
    description: 'The most urgent of them. Of leaked keys, enabled ones are first.',
    minItems: 0,
    maxItems: maxNamed,
  })
  first: AttentionItemDto[];
}

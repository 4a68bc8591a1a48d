import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { type LeakedSecret, leakedSecrets } from '../../common/rules/leak-rules.js';

const holderKinds = ['user', 'service-account'] as const;

/** A key has two secrets, and each was shown once. */
const maxFormerHolders = 2;

@ApiSchema({
  name: 'ApiKeyFormerHolder',
  description: 'Former member or deleted service account that received a secret of an API key.',
})
export class FormerHolderDto {
  @ApiProperty({
    description: 'Which secret: the `current` one, or the `previous` one, from before the last rotation.',
    enum: leakedSecrets,
    example: 'current',
  })
  secret: LeakedSecret;

  @ApiProperty({ description: 'Who received it.', enum: holderKinds, example: 'user' })
  kind: (typeof holderKinds)[number];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Their name when they left, or were deleted; null if it is unknown.',
    example: 'Grace Hopper',
    maxLength: 100,
  })
  name: string | null;
}

export const formerHoldersProperty = {
  type: [FormerHolderDto],
  description:
    'Former members and deleted service accounts that know a secret of the key that is still accepted, from creating or rotating it. Only of active keys.',
  minItems: 0,
  maxItems: maxFormerHolders,
} satisfies ApiPropertyOptions;

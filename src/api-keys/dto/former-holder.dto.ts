import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type LeakedSecret, leakedSecrets } from '../../common/rules/leak-rules.js';

const holderKinds = ['user', 'service-account'] as const;

/** A key has two secrets, and each was shown once. */
export const maxFormerHolders = 2;

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

import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOneOf } from '../../common/validation/field-decorators.js';
import { type KeyRemoval, keyRemovals } from '../../api-keys/keys-of-creator.js';

/** The query of routes that remove a member or a service account. */
export class KeyRemovalQueryDto {
  @ApiPropertyOptional({
    description:
      'What happens to the API keys that the member or service account created, at most 1,000: `keep` them, `disable` those that are enabled, or `delete` them.',
    enum: keyRemovals,
    default: 'keep',
  })
  @IsOneOf(keyRemovals)
  keys: KeyRemoval = 'keep';
}

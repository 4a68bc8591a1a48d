import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { nameLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';

/** How many keys a search returns. */
export const maxKeys = 20;

const keyStates = ['current', 'deleted'] as const;
export type AuditKeyState = (typeof keyStates)[number];

export class AuditKeysQueryDto {
  @ApiProperty({
    description: 'Part of a current or earlier name, case-insensitive, or an id.',
    example: 'billing',
    minLength: 1,
    maxLength: nameLength.max,
  })
  @HasCodePoints(1, nameLength.max)
  search: string;

  @ApiPropertyOptional({ description: 'Only current or only deleted keys.', enum: keyStates })
  @OptionalField()
  @IsOneOf(keyStates)
  state?: AuditKeyState;
}

@ApiSchema({ name: 'FoundAuditKey', description: 'An API key with events in the audit log.' })
export class FoundAuditKeyDto {
  @ApiProperty({
    description: 'Id of the key, to filter events by `targetId`.',
    example: '01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ description: 'Name of the key; of a deleted one, its last.', example: 'billing-prod', minLength: 1 })
  name: string;

  @ApiPropertyOptional({
    description: 'Earlier name that matches the search; absent if the current or last one does.',
    example: 'billing',
    minLength: 1,
  })
  formerName?: string;

  @ApiPropertyOptional({
    description: 'First characters of its secret; absent if no event has them.',
    example: 'kc_4fT9q',
    minLength: 1,
  })
  hint?: string;

  @ApiProperty({ description: 'Whether the key has been deleted.', example: false })
  isDeleted: boolean;
}

@ApiSchema({ name: 'AuditKeyList', description: 'API keys in the audit log.' })
export class AuditKeyListDto {
  @ApiProperty({
    type: [FoundAuditKeyDto],
    description: 'Exact matches first, then by name; keys with the same name are sorted newest first.',
    maxItems: maxKeys,
  })
  apiKeys: FoundAuditKeyDto[];
}

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isModelName, maxAddressRangeLength, maxModelIdLength, maxNoteLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { type LimitDto, LimitsField, type LimitStateDto, LimitStatesField } from '../../limits/dto/limit.dto.js';
import { normalizeAddressRange } from '../address-range.js';
import { TagsField } from './tags.js';

const maxItems = 100;

/** OpenAPI text of the fields, for requests and responses. */
const restrictionProperties = {
  models: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: maxModelIdLength },
    nullable: true,
    maxItems,
    description:
      'Ids or aliases of the models, and names of the services, that the key may use. Null means all, including future ones; an empty list means none.',
    example: ['universal-sentence-encoder-lite'],
  },
  addresses: {
    type: 'array',
    items: { type: 'string', minLength: 2, maxLength: maxAddressRangeLength },
    nullable: true,
    minItems: 1,
    maxItems,
    description:
      'IP addresses and CIDR ranges that the key may be used from. Null means all. Behind a proxy, `TRUST_PROXY` determines the address of the client.',
    example: ['203.0.113.7', '2001:db8::/32'],
  },
  note: {
    type: String,
    nullable: true,
    maxLength: maxNoteLength,
    description: 'A note. Everyone with `get-api-keys` can read it.',
    example: 'Owned by the search team',
  },
} as const;

/** The restrictions, limits, note and tags of a key, as part of a request. */
export class KeyRestrictionsDto {
  @ApiPropertyOptional(restrictionProperties.models)
  @OptionalField({ nullable: true })
  @IsListOf(0, isModelName, `models of 1 to ${maxModelIdLength} characters, each once`)
  models?: string[] | null;

  @ApiPropertyOptional(restrictionProperties.addresses)
  @OptionalField({ nullable: true })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? normalizeAll(value) : value))
  @IsListOf(1, isAddressRange, 'IP addresses and CIDR ranges, such as 203.0.113.7 and 2001:db8::/32, each once')
  addresses?: string[] | null;

  @LimitsField('How much the key may use.')
  limits?: LimitDto[];

  @ApiPropertyOptional({ ...restrictionProperties.note, minLength: 0 })
  @OptionalField({ nullable: true })
  @Trimmed()
  @HasCodePoints(0, maxNoteLength)
  note?: string | null;

  @TagsField(
    'Tags, to find keys and to group usage by. Stored in lower case, sorted, with single spaces and none around them. An empty list removes all.',
  )
  tags?: string[];
}

/** The restrictions, limits and note of a key, as part of a response. */
export class ShownKeyRestrictionsDto {
  @ApiProperty(restrictionProperties.models)
  models: string[] | null;

  @ApiProperty(restrictionProperties.addresses)
  addresses: string[] | null;

  @LimitStatesField()
  limits: LimitStateDto[];

  @ApiProperty({ ...restrictionProperties.note, minLength: 1 })
  note: string | null;
}

/** A list without duplicates. */
function IsListOf(minItems: number, isItem: (item: string) => boolean, items: string): PropertyDecorator {
  const range = minItems === 0 ? `at most ${maxItems}` : `${minItems} to ${maxItems}`;
  return ValidateBy({
    name: 'isListOf',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        value.length >= minItems &&
        value.length <= maxItems &&
        new Set(value).size === value.length &&
        value.every((item) => typeof item === 'string' && isItem(item)),
      defaultMessage: (details) => `${details?.property} must be null or a list of ${range} ${items}`,
    },
  });
}

function isAddressRange(text: string): boolean {
  return normalizeAddressRange(text) === text;
}

function normalizeAll(items: unknown[]): unknown[] {
  return items.map((item) => (typeof item === 'string' ? (normalizeAddressRange(item.trim()) ?? item) : item));
}

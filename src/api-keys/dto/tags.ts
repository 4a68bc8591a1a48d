import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isTag, maxTagLength, maxTags, normalizeTag, tagsRule } from '../../common/rules/tag-rules.js';
import { OptionalField } from '../../common/validation/field-decorators.js';

/** OpenAPI text of tags. */
export const tagsProperty = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: maxTagLength },
  maxItems: maxTags,
  description: 'Tags, to find keys and to group usage by. In lower case and sorted.',
  example: ['production', 'search team'],
} as const;

/** Tags in a request. */
export const TagsField = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ ...tagsProperty, description }),
    OptionalField(),
    Transform(({ value }: { value: unknown }) => normalizeTags(value)),
    AreTags(),
  );

/** Tags, each once. */
function AreTags(): PropertyDecorator {
  return ValidateBy({
    name: 'areTags',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        value.length <= maxTags &&
        new Set(value).size === value.length &&
        value.every((item) => typeof item === 'string' && isTag(item)),
      defaultMessage: (details) => `${details?.property} ${tagsRule}`,
    },
  });
}

function normalizeTags(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const tags: unknown[] = value.map((item: unknown) => (typeof item === 'string' ? normalizeTag(item) : item));
  return tags.every((tag) => typeof tag === 'string') ? tags.sort() : tags;
}

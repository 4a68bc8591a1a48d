import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { maxTagLength, maxTags } from '@rules/tag-rules.js';
import { tagsQuery } from '../../../common/api-keys/api-keys.js';
import { usePermission } from '../../../session/me.js';
import { ignoreEnter, useRemovalHint } from './RestrictionFields.js';
import { toTags } from './restrictions.js';

/** The tags of a key, with those of other keys as suggestions. */
export function TagsField({ value = [], onChange, ...props }: TagsInputProps) {
  const { data } = useQuery({ ...tagsQuery, enabled: usePermission('get-api-keys') });
  return (
    <TagsInput
      label="Tags"
      description={`Find keys and group usage by them. Up to ${maxTags}. ${useRemovalHint()}`}
      placeholder={value.length === 0 ? 'production' : ''}
      data={data}
      value={value}
      maxLength={maxTags * (maxTagLength + 1)}
      splitChars={[',', ';']}
      acceptValueOnBlur
      wrapperProps={{ onKeyDown: ignoreEnter }}
      onChange={(tags) => onChange?.(toTags(tags))}
      {...props}
    />
  );
}

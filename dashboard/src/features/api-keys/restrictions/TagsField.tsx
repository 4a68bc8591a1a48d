import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxTagLength, maxTags } from '@rules/tag-rules.js';
import { tagsQuery } from '../../../common/api-keys/api-keys.js';
import { usePermission } from '../../../session/me.js';
import { ignoreEnter, useRemovalHint } from './RestrictionFields.js';
import { toTags } from './restrictions.js';

/** Fits above a field near the top of a dialog. */
const suggestionsHeight = 160;

/**
 * The tags of a key, with those of other keys as suggestions. These open above the field, so that they don't cover the
 * buttons of a dialog, and only once the user clicks, types or presses an arrow key.
 */
export function TagsField({ value = [], onChange, ...props }: TagsInputProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({ ...tagsQuery, enabled: usePermission('get-api-keys') });
  return (
    <TagsInput
      label="Tags"
      description={`Find keys and group usage by them. Up to ${maxTags}. ${useRemovalHint()}`}
      placeholder={value.length === 0 ? 'production' : ''}
      data={data}
      value={value}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onClick={() => setIsOpen(true)}
      onSearchChange={(text) => setIsOpen((wasOpen) => wasOpen || text !== '')}
      comboboxProps={{ position: 'top-start' }}
      styles={{ options: { maxHeight: suggestionsHeight, overflowY: 'auto' } }}
      maxLength={maxTags * (maxTagLength + 1)}
      splitChars={[',', ';']}
      acceptValueOnBlur
      wrapperProps={{ onKeyDown: ignoreEnter }}
      onChange={(tags) => onChange?.(toTags(tags))}
      {...props}
    />
  );
}

import { type MantineSize, type MantineStyleProps, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../../session/me.js';
import { tagsQuery } from './api-keys.js';

interface TagFilterProps extends Pick<MantineStyleProps, 'flex'> {
  size?: MantineSize;
  tag: string | undefined;
  onChange: (tag: string | undefined) => void;
}

/** Filters by tag. Hidden from organizations that don't use tags. */
export function TagFilter({ tag, onChange, ...props }: TagFilterProps) {
  const { data = [] } = useQuery({ ...tagsQuery, enabled: usePermission('get-api-keys') });
  // The tag in the URL may no longer be in use.
  const tags = tag === undefined || data.includes(tag) ? data : [tag, ...data];
  if (tags.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Tag"
      maw={{ xs: 220 }}
      value={tag ?? ''}
      data={[{ value: '', label: 'All tags' }, ...tags.toSorted()]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      {...props}
    />
  );
}

import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/dashboard/members');

/** Chooses between current members and those who left or were removed. */
export function MemberStatusSelect() {
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <NativeSelect
      aria-label="Show"
      flex={{ base: '1 1 150px', xs: 'none' }}
      value={view === 'removed' ? 'removed' : 'members'}
      data={[
        { value: 'members', label: 'Current members' },
        { value: 'removed', label: 'Removed members' },
      ]}
      onChange={({ currentTarget }) =>
        void navigate({
          search: ({ perPage, search }) => ({
            view: currentTarget.value === 'removed' ? 'removed' : 'members',
            page: 1,
            perPage,
            search,
          }),
        })
      }
    />
  );
}

import type { Member } from '../../api/schema.js';
import type { Column } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { MemberName } from './MemberName.js';
import { MemberRole } from './MemberRole.js';
import { RemoveMemberButton } from './RemoveMemberButton.js';

/** Columns of the members table. */
export const memberColumns: Column<Member>[] = [
  { key: 'member', header: 'Member', render: (member) => <MemberName member={member} />, breaksWords: true },
  { key: 'role', header: 'Role', render: (member) => <MemberRole member={member} /> },
  { key: 'joinedAt', header: 'Joined', render: ({ joinedAt }) => <Time at={joinedAt} />, visibleFrom: 'md' },
  {
    key: 'remove',
    header: 'Actions',
    hidesHeader: true,
    render: (member) => <RemoveMemberButton member={member} />,
    align: 'right',
  },
];

import type { Member } from '../../factories/organizations.js';
import type { Visitor } from './visitor.js';

/** Opens the Members page as this member. */
export async function openMembers(visitor: Visitor, member: Member) {
  const { page } = visitor;
  await visitor.visit(member, '/dashboard/members');
  const [table, cards] = [page.getByRole('table', { name: 'Members' }), page.getByRole('list', { name: 'Members' })];
  await table.or(cards).getByText('@').first().waitFor();
  const row = ({ userId }: Pick<Member, 'userId'>) =>
    table
      .getByRole('row')
      .or(cards.getByRole('listitem'))
      .filter({ hasText: `${userId}@example.com` });
  return { page, row, roleOf: (one: Pick<Member, 'userId'>) => row(one).getByRole('combobox') };
}

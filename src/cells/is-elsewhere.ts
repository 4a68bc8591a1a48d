/**
 * SQL condition: whether another cell may serve an organization that was here, so that its rows may be out of date.
 *
 * @param organizationId SQL for its id
 */
export const isElsewhere = (organizationId: string) => `exists (
  select from organization_moves as move
  where move.organization_id = ${organizationId} and move.direction = 'out'
    and move.state in ('activating', 'draining', 'moved')
)`;

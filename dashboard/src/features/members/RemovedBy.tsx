import type { FormerMember } from '../../api/schema.js';
import { PersonNameLink } from '../../common/people/PersonLink.js';

/** Who removed a member, after the time. Nothing if they left, or if the user may not know. */
export function RemovedBy({ remover }: { remover: FormerMember['removedBy'] }) {
  if (remover === undefined || remover === null) return null;
  const { kind, id, name } = remover;
  if (kind === 'identity-provider') return ' by the identity provider';
  if (kind === 'operator') return ' on the command line';
  if (id === null || name === null) return null;
  return (
    <>
      {' by '}
      <PersonNameLink person={{ id, name }} isServiceAccount={kind === 'service-account'} />
    </>
  );
}

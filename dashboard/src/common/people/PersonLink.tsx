import { Text } from '@mantine/core';
import { usePermission } from '../../session/me.js';
import { PersonAvatar } from '../../ui/PersonAvatar.js';
import { RowLink } from '../../ui/RowLink.js';
import classes from './PersonLink.module.css';

/** A person, or a service account. */
export interface NamedPerson {
  /** Of the user or service account. */
  id: string;
  name: string;
  email?: string | undefined;
}

interface PersonLinkProps {
  person: NamedPerson;
  isServiceAccount?: boolean;
}

/** Initials and name, which lead to the page of the person or service account. */
export function PersonLink({ person, isServiceAccount = false }: PersonLinkProps) {
  const { id, name, email } = person;
  return (
    <div className={classes.person} title={email}>
      <PersonAvatar id={id} name={name} isProgram={isServiceAccount} />
      <PersonNameLink person={person} isServiceAccount={isServiceAccount} />
    </div>
  );
}

/** The name alone. A link only if the user has permission to see the page. */
export function PersonNameLink({ person: { id, name }, isServiceAccount = false }: PersonLinkProps) {
  const maySeePage = usePermission(isServiceAccount ? 'get-service-accounts' : 'get-members');
  if (!maySeePage) {
    return (
      <Text span inherit className={classes.name}>
        {name}
      </Text>
    );
  }
  const page = isServiceAccount ? '/dashboard/members/service-accounts' : '/dashboard/members';
  return (
    <RowLink href={`${page}/${id}`} className={classes.name}>
      {name}
    </RowLink>
  );
}

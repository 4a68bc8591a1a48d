import { Paper, Table, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { PermissionDetails, Role } from '../../../api/schema.js';
import { useScrollOverflow } from '../../../hooks/use-scroll-overflow.js';
import classes from './RoleMatrix.module.css';
import type { RoleActions } from './RoleMenu.js';
import { RoleName } from './RoleName.js';
import { groupPermissions } from '../permission-groups.js';

interface RoleMatrixProps extends RoleActions {
  roles: readonly Role[];
  permissions: readonly PermissionDetails[];
}

/** In pixels; that of the label is also in the styles. */
const labelWidth = 300;
const roleWidth = 160;

/** A table of permissions by role, for wide screens. It scrolls on its own, below the names and next to the permissions. */
export function RoleMatrix({ roles, permissions, ...actions }: RoleMatrixProps) {
  const { ref, hasMoreRight, update } = useScrollOverflow();
  return (
    <Paper withBorder visibleFrom="md" className={classes.frame} data-more={hasMoreRight || undefined}>
      <div
        ref={ref}
        className={classes.scroller}
        onScroll={update}
        tabIndex={0}
        role="group"
        aria-label="Permissions by role"
      >
        <Table
          aria-label="Permissions by role"
          className={classes.matrix}
          miw={labelWidth + roles.length * roleWidth}
          stickyHeader
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Td className={classes.label} />
              {roles.map((role) => (
                <Table.Th key={role.id} scope="col" className={classes.role}>
                  <RoleName role={role} {...actions} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groupPermissions(permissions).map((group) => (
              <Fragment key={group.name}>
                <Table.Tr className={classes.group}>
                  <Table.Th scope="colgroup" colSpan={roles.length + 1}>
                    <span className={classes.groupName}>{group.name}</span>
                  </Table.Th>
                </Table.Tr>
                {group.permissions.map((permission) => (
                  <PermissionRow key={permission.name} permission={permission} roles={roles} />
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}

function PermissionRow({ permission, roles }: { permission: PermissionDetails; roles: readonly Role[] }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.label}>
        {permission.description}
      </Table.Th>
      {roles.map(({ id, permissions }) => (
        <Table.Td key={id}>
          <Mark isGranted={permissions.includes(permission.name)} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Mark({ isGranted }: { isGranted: boolean }) {
  const Icon = isGranted ? IconCheck : IconMinus;
  return (
    <>
      <Icon size={18} className={isGranted ? classes.granted : classes.refused} aria-hidden />
      <VisuallyHidden>{isGranted ? 'Yes' : 'No'}</VisuallyHidden>
    </>
  );
}

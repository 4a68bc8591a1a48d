import { Button } from '@mantine/core';
import { explainLastAdministrator, useLastAdministratorRoleId } from '../../common/organizations/last-administrator.js';
import { useMe } from '../../session/me.js';
import { DisabledTooltip } from '../../ui/DisabledTooltip.js';

/** Leaves the current organization, which takes no permission. Disabled for the last administrator. */
export function LeaveButton({ onClick }: { onClick: () => void }) {
  const { organization, role } = useMe();
  const isLastAdministrator = useLastAdministratorRoleId() === role.id;
  const button = (
    <Button
      size="xs"
      variant="default"
      aria-label={`Leave ${organization.name}`}
      disabled={isLastAdministrator}
      onClick={onClick}
    >
      Leave
    </Button>
  );
  return isLastAdministrator ? <DisabledTooltip reason={explainLastAdministrator()}>{button}</DisabledTooltip> : button;
}

import { Button } from '@mantine/core';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe } from '../../session/me.js';
import { DisabledTooltip } from '../../ui/DisabledTooltip.js';
import { explainLastAdministrator, useIsLastAdministrator } from '../../common/organizations/last-administrator.js';
import { LeaveModal } from '../../common/organizations/LeaveModal.js';

/** Leaves the current organization, which takes no permission. Disabled for the last administrator. */
export function LeaveButton() {
  const { organization, role } = useMe();
  const isLastAdministrator = useIsLastAdministrator({ role });
  const dialog = useDialog();
  const button = (
    <Button
      size="xs"
      variant="default"
      aria-label={`Leave ${organization.name}`}
      disabled={isLastAdministrator}
      onClick={() => dialog.open()}
    >
      Leave
    </Button>
  );
  return (
    <>
      {isLastAdministrator ? <DisabledTooltip reason={explainLastAdministrator()}>{button}</DisabledTooltip> : button}
      <LeaveModal isOpen={dialog.isOpen} onClose={dialog.close} />
    </>
  );
}

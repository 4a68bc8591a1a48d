import { ActionIcon, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { memo } from 'react';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { Time } from '../../../ui/Time.js';
import { describeEvent, toPlainText } from './describe-event.js';
import { EventAvatar } from './EventAvatar.js';
import { EventDetails } from './EventDetails.js';
import { EventOrigin } from './EventOrigin.js';
import classes from './EventRow.module.css';
import { EventSentence } from './EventSentence.js';
import type { NamedEvent } from './named-event.js';

/** One event with expandable details. Memoized because loading more events renders the list again. */
export const EventRow = memo(function EventRow({ event }: { event: NamedEvent }) {
  const [isOpen, details] = useDisclosure(false);
  const detailsId = useId();
  const currency = useCurrency();
  // A larger target for pointers.
  const toggleUnlessSelecting = () => {
    if (document.getSelection()?.isCollapsed !== false) details.toggle();
  };
  return (
    <li className={classes.row}>
      <Group gap="sm" wrap="nowrap" align="flex-start" className={classes.summary} onClick={toggleUnlessSelecting}>
        <EventAvatar event={event} />
        <div className={classes.text}>
          <EventSentence event={event} />
          <Text size="xs" c="dimmed" mt={2}>
            <Time at={event.occurredAt} /> · <EventOrigin event={event} />
          </Text>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Details: ${toPlainText(describeEvent(event, currency))}`}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onClick={(click) => {
            click.stopPropagation();
            details.toggle();
          }}
        >
          <IconChevronDown size={16} className={classes.chevron} data-open={isOpen || undefined} />
        </ActionIcon>
      </Group>
      <Collapse expanded={isOpen} id={detailsId}>
        {isOpen && <EventDetails event={event} />}
      </Collapse>
    </li>
  );
});

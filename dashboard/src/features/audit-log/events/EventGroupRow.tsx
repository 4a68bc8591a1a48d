import { ActionIcon, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { Time } from '../../../ui/Time.js';
import { toPlainText } from './describe-event.js';
import { describeGroup } from './describe-group.js';
import { EventAvatar } from './EventAvatar.js';
import { EventOrigin } from './EventOrigin.js';
import { EventRow } from './EventRow.js';
import classes from './EventRow.module.css';
import { Sentence } from './EventSentence.js';
import type { NamedEvent } from './named-event.js';

/** Several events of one kind that an actor caused with one request. Opens to show each. */
export function EventGroupRow({ events }: { events: readonly [NamedEvent, ...NamedEvent[]] }) {
  const [isOpen, list] = useDisclosure(false);
  const listId = useId();
  const [latest] = events;
  const sentence = describeGroup(events);
  const toggleUnlessSelecting = () => {
    if (document.getSelection()?.isCollapsed !== false) list.toggle();
  };
  return (
    <li className={classes.row}>
      <Group gap="sm" wrap="nowrap" align="flex-start" className={classes.summary} onClick={toggleUnlessSelecting}>
        <EventAvatar event={latest} />
        <div className={classes.text}>
          <Sentence phrases={sentence} />
          <Text size="xs" c="dimmed" mt={2}>
            <Time at={latest.occurredAt} /> · <EventOrigin event={latest} />
          </Text>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`All ${events.length} events: ${toPlainText(sentence)}`}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={(click) => {
            click.stopPropagation();
            list.toggle();
          }}
        >
          <IconChevronDown size={16} className={classes.chevron} data-open={isOpen || undefined} />
        </ActionIcon>
      </Group>
      <Collapse expanded={isOpen} id={listId}>
        {isOpen && (
          <ul className={classes.members}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ul>
        )}
      </Collapse>
    </li>
  );
}

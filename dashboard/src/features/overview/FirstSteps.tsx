import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FirstStep } from '../../api/schema.js';
import classes from './FirstSteps.module.css';

interface StepText {
  label: string;
  description: string;
  to:
    | '/dashboard/keys'
    | '/dashboard/playground'
    | '/dashboard/organization'
    | '/dashboard/members'
    | '/dashboard/models';
}

const steps: Record<FirstStep['name'], StepText> = {
  key: { label: 'Create an API key', description: 'Your services use keys to authenticate.', to: '/dashboard/keys' },
  request: {
    label: 'Send the first request',
    description: 'From your code, or in the playground.',
    to: '/dashboard/playground',
  },
  limit: {
    label: 'Set a limit',
    description: 'A monthly budget for all keys, or limits for a single key.',
    to: '/dashboard/organization',
  },
  invitation: {
    label: 'Invite a colleague',
    description: 'With a role that defines what they can do.',
    to: '/dashboard/members',
  },
  model: {
    label: 'Configure a model',
    description: 'The operator adds models in the models file. Bundled ones work without it.',
    to: '/dashboard/models',
  },
};

interface FirstStepsProps {
  organizationId: string;
  firstSteps: FirstStep[];
}

/** The checklist of a new organization, until it's complete or hidden. The service knows what has been done. */
export function FirstSteps({ organizationId, firstSteps }: FirstStepsProps) {
  const storageKey = `keycard.hidden-first-steps.${organizationId}`;
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(storageKey) !== null);
  const done = firstSteps.filter(({ isDone }) => isDone).length;
  if (isHidden) return null;
  const hide = () => {
    localStorage.setItem(storageKey, 'yes');
    setIsHidden(true);
  };
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-first-steps">
      <Group gap="sm" mb="sm">
        <Title order={2} size="h4" id="overview-first-steps">
          Get started
        </Title>
        <Text size="sm" c="dimmed">
          {done} of {firstSteps.length} done
        </Text>
        <Button ms="auto" variant="subtle" size="compact-sm" aria-label="Hide the steps" onClick={hide}>
          Hide
        </Button>
      </Group>
      <ul className={classes.steps}>
        {firstSteps.map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </ul>
    </Paper>
  );
}

function Step({ name, isDone }: FirstStep) {
  const { label, description, to } = steps[name];
  return (
    <li className={classes.step}>
      {isDone ? (
        <IconCircleCheckFilled className={classes.done} size={20} role="img" aria-label="Done" />
      ) : (
        <IconCircle className={classes.toDo} size={20} role="img" aria-label="To do" />
      )}
      {isDone ? (
        <Text size="sm" c="dimmed" td="line-through">
          {label}
        </Text>
      ) : (
        <div>
          <Anchor size="sm" fw={500} renderRoot={(props) => <Link to={to} {...props} />}>
            {label}
          </Anchor>
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        </div>
      )}
    </li>
  );
}

import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FirstStep } from '../../api/schema.js';

interface StepText {
  label: string;
  description: string;
  link: (children: ReactNode) => ReactNode;
}

const steps: Record<FirstStep['name'], StepText> = {
  key: {
    label: 'Create an API key',
    description: 'Your services use keys to authenticate.',
    link: (label) => (
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/dashboard/keys" {...props} />}>
        {label}
      </Anchor>
    ),
  },
  request: {
    label: 'Send the first request',
    description: 'From your code, or in the playground.',
    link: (label) => (
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/dashboard/playground" {...props} />}>
        {label}
      </Anchor>
    ),
  },
  limit: {
    label: 'Set a limit',
    description: 'A monthly budget for all keys, or limits for a single key.',
    link: (label) => (
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/dashboard/organization" {...props} />}>
        {label}
      </Anchor>
    ),
  },
  invitation: {
    label: 'Invite a colleague',
    description: 'With a role that defines what they can do.',
    link: (label) => (
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/dashboard/members" {...props} />}>
        {label}
      </Anchor>
    ),
  },
  model: {
    label: 'Configure a model',
    description: 'The operator adds models in the models file. Bundled ones work without it.',
    link: (label) => (
      <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/dashboard/models" {...props} />}>
        {label}
      </Anchor>
    ),
  },
};

/** The checklist of a new organization. The service knows what has been done. */
export function FirstSteps({ firstSteps }: { firstSteps: FirstStep[] }) {
  const done = firstSteps.filter(({ isDone }) => isDone).length;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-first-steps">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id="overview-first-steps">
          Get started
        </Title>
        <Text size="sm" c="dimmed">
          {done} of {firstSteps.length} done
        </Text>
      </Group>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {firstSteps.map((step) => (
          <Step key={step.name} {...step} />
        ))}
      </Stack>
    </Paper>
  );
}

function Step({ name, isDone }: FirstStep) {
  const { label, description, link } = steps[name];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      {isDone ? (
        <IconCircleCheckFilled
          size={20}
          color="var(--mantine-color-teal-filled)"
          role="img"
          aria-label="Done"
          style={{ flexShrink: 0 }}
        />
      ) : (
        <IconCircle
          size={20}
          color="var(--mantine-color-dimmed)"
          role="img"
          aria-label="To do"
          style={{ flexShrink: 0 }}
        />
      )}
      <div>
        {isDone ? (
          <Text size="sm" c="dimmed" td="line-through">
            {label}
          </Text>
        ) : (
          link(label)
        )}
        {!isDone && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </div>
    </Group>
  );
}

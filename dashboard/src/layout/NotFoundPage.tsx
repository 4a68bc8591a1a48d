import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CenteredCard } from './CenteredCard.js';

/** What an address leads to that is none of the pages. */
export function NotFoundPage() {
  return (
    <CenteredCard title="There is no such page">
      <Text>
        Look at the address, or go to the{' '}
        <Anchor renderRoot={(props) => <Link to="/dashboard" {...props} />}>start of the dashboard</Anchor>.
      </Text>
    </CenteredCard>
  );
}

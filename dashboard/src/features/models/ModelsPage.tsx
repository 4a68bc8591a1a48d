import { Box, Code, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { defaultService, servedModelsQuery } from '../../common/models/models.js';
import { ModelsTable } from './ModelsTable.js';

/** What API keys can use, and what serves it. */
export function ModelsPage() {
  const { data, error, refetch } = useQuery(servedModelsQuery);
  return (
    <>
      <PageHeader title="Models" description="Models and services your API keys can use, and what serves them." />
      {error !== null && (
        <Box mb="md">
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data === undefined && error === null && <Skeleton h={240} role="status" aria-label="Loading" />}
      {data !== undefined && (
        <Stack gap="md">
          <ModelsTable models={data.models} />
          {data.services.length > 0 && <Services names={data.services} />}
        </Stack>
      )}
    </>
  );
}

function Services({ names }: { names: string[] }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label="Services">
      <Title order={2} size="h4" mb={4}>
        Services
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Your own services that a reverse proxy protects with API keys. <Code>{defaultService}</Code> stands for requests
        to <Code>/v1/authorize</Code> that don&apos;t name a service.
      </Text>
      <Group gap="xs">
        {names.map((name) => (
          <Code key={name}>{name}</Code>
        ))}
      </Group>
    </Paper>
  );
}

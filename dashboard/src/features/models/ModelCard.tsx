import { Badge, Box, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { ServedModel } from '../../api/schema.js';
import { CopyIconButton } from '../../ui/CopyButton.js';
import { formatCount } from '../../lib/format-numbers.js';
import { nameLanguages } from '../../lib/name-languages.js';
import { Property } from '../../ui/Property.js';
import { describeLimits, describePrice } from './describe-model.js';
import { GenerationProperties } from './GenerationProperties.js';
import { UpstreamsTable } from './UpstreamsTable.js';

const taskLabels = { embeddings: 'Embeddings', ocr: 'OCR', generation: 'Generation' };
const engineStates = { idle: 'Not used since the service started', ready: 'Ready', failed: 'Failed' };

/** A model: its names, limits and price, and the engine or the upstreams that serve it. */
export function ModelCard({ model }: { model: ServedModel }) {
  const { id, aliases, task, ownedBy, languages, price, engine, upstreams } = model;
  return (
    <Paper withBorder p="lg" component="section" aria-label={id}>
      <Group gap="xs" mb="md">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Title>
        <CopyIconButton value={id} label={`Copy ${id}`} />
        <Badge variant="light">{taskLabels[task]}</Badge>
      </Group>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, lg: 5 }} m={0}>
        {engine !== null && (
          <>
            <Property name="Served by">
              {engine.name === id ? 'Keycard' : `${engine.name}, inside Keycard`}
              <Text size="sm" c={engine.state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
                {engineStates[engine.state]}
              </Text>
            </Property>
            <Property name="Request limits">
              {describeLimits(engine).map((limit) => (
                <div key={limit}>{limit}</div>
              ))}
            </Property>
            {engine.dimensions !== undefined && <Property name="Dimensions">{formatCount(engine.dimensions)}</Property>}
          </>
        )}
        <GenerationProperties {...model} />
        {languages !== null && <Property name="Languages">{nameLanguages(languages)}</Property>}
        {price !== null && (
          <Property name="Price">
            {describePrice(price).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </Property>
        )}
        {aliases.length > 0 && <Property name="Aliases">{aliases.join(', ')}</Property>}
        <Property name="Owner">{ownedBy}</Property>
      </SimpleGrid>
      {upstreams.length > 0 && (
        <Box mt="md">
          <UpstreamsTable model={id} upstreams={upstreams} />
        </Box>
      )}
    </Paper>
  );
}

import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ServedModel } from '../../api/schema.js';
import { focusIfScrolling } from '../../lib/focus-if-scrolling.js';
import tableClasses from '../../ui/DataTable.module.css';
import { ModelRows } from './ModelRows.js';
import classes from './Models.module.css';

/** All models and their upstreams in one table. */
export function ModelsTable({ models }: { models: ServedModel[] }) {
  return (
    <Paper withBorder p={{ base: 'xs', xs: 'md' }}>
      <Table.ScrollContainer
        minWidth={300}
        scrollAreaProps={{ viewportRef: focusIfScrolling, viewportProps: { 'aria-label': 'Models' } }}
      >
        <Table aria-label="Models" className={`${tableClasses.table} ${classes.models}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Model</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th visibleFrom="sm" className={classes.number}>
                Latency, 95th percentile
              </Table.Th>
              <Table.Th visibleFrom="sm">Errors</Table.Th>
              <Table.Th visibleFrom="md">Price</Table.Th>
              <Table.Th>
                <VisuallyHidden>Details</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {models.map((model) => (
              <ModelRows key={model.id} model={model} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {models.some(({ upstreams }) => upstreams.length > 0) && (
        <Text size="xs" c="dimmed" mt="sm">
          Latency and errors are those of the last 200 requests, as seen by the replica that served this page, since it
          started. Other replicas may differ.
        </Text>
      )}
    </Paper>
  );
}

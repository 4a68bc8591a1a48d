import { Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { focusIfScrolling } from '../../../lib/focus-if-scrolling.js';
import type { Comparison } from './compare-texts.js';
import classes from './HeatMap.module.css';
import { colorStrength, formatSimilarity } from './similarity.js';
import { shorten } from './texts.js';

const maxHeadingLength = 48;
/** Minimum widths; the table scrolls if they don't fit. */
const minHeadingPixels = 96;
const minCellPixels = 44;

/** A matrix of the similarity of all texts. Stronger colors mean more similar. */
export function HeatMap({ texts, similarities }: Pick<Comparison, 'texts' | 'similarities'>) {
  const headings = texts.map((text) => shorten(text, maxHeadingLength));
  return (
    <Table.ScrollContainer
      minWidth={minHeadingPixels + texts.length * minCellPixels}
      scrollAreaProps={{ viewportRef: focusIfScrolling, viewportProps: { 'aria-label': 'Text similarity' } }}
    >
      <Table className={classes.table} horizontalSpacing={4} withRowBorders={false} aria-label="Text similarity">
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {headings.map((heading, column) => (
              <Table.Th key={column} scope="col" ta="center">
                {column + 1}
                <VisuallyHidden> {heading}</VisuallyHidden>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {similarities.map((row, index) => (
            <Table.Tr key={index}>
              <Table.Th scope="row" fw={400} pl={0} title={texts[index]}>
                <Group gap="xs" wrap="nowrap" align="baseline">
                  <Text span size="sm" c="dimmed" className={classes.number}>
                    {index + 1}
                  </Text>
                  <span>{headings[index]}</span>
                </Group>
              </Table.Th>
              {row.map((similarity, column) => (
                <SimilarityCell key={column} similarity={similarity} />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SimilarityCell({ similarity }: { similarity: number }) {
  const strength = colorStrength(similarity);
  return (
    <Table.Td
      className={classes.cell}
      mod={{ strongest: strength === 100 }}
      bg={`color-mix(in srgb, var(--mantine-primary-color-filled) ${strength}%, var(--mantine-color-body))`}
    >
      {formatSimilarity(similarity)}
    </Table.Td>
  );
}

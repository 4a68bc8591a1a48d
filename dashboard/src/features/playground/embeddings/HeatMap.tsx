import { Group, Table, Text, VisuallyHidden } from '@mantine/core';
import type { Comparison } from './compare-texts.js';
import classes from './HeatMap.module.css';
import { colourStrength, formatSimilarity } from './similarity.js';
import { shorten } from './texts.js';

const longestHeading = 48;
/** As narrow as they may become before the table is scrolled. */
const headingPixels = 96;
const cellPixels = 44;

/** How alike each text is to each: the more, the stronger the colour. The numbers say the same. */
export function HeatMap({ texts, similarities }: Pick<Comparison, 'texts' | 'similarities'>) {
  const headings = texts.map((text) => shorten(text, longestHeading));
  return (
    <Table.ScrollContainer
      minWidth={headingPixels + texts.length * cellPixels}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Similarity of the texts' } }}
    >
      <Table
        className={classes.table}
        horizontalSpacing={4}
        withRowBorders={false}
        aria-label="Similarity of the texts"
      >
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
                  <Text span size="sm" c="dimmed">
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
  const strength = colourStrength(similarity);
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

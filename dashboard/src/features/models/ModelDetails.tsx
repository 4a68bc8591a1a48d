import { SimpleGrid } from '@mantine/core';
import type { ServedModel } from '../../api/schema.js';
import { formatCount } from '../../lib/format-numbers.js';
import { nameLanguages } from '../../lib/name-languages.js';
import { Property } from '../../ui/Property.js';
import { describeLimits, describePrice } from './describe-model.js';
import { GenerationProperties } from './GenerationProperties.js';
import classes from './Models.module.css';

/** What the table of models has no column for: names, limits, routes and the complete price. */
export function ModelDetails({ model }: { model: ServedModel }) {
  const { id, aliases, ownedBy, languages, price, engine } = model;
  return (
    <SimpleGrid
      component="dl"
      className={classes.details}
      cols={{ base: 1, xs: 2, lg: 5 }}
      m={0}
      aria-label={`Details of ${id}`}
    >
      {engine !== null && (
        <>
          <Property name="Served by">{engine.name === id ? 'Keycard' : `${engine.name}, inside Keycard`}</Property>
          <Lines name="Request limits" lines={describeLimits(engine)} />
          {engine.dimensions !== undefined && <Property name="Dimensions">{formatCount(engine.dimensions)}</Property>}
        </>
      )}
      <GenerationProperties {...model} />
      {languages !== null && <Property name="Languages">{nameLanguages(languages)}</Property>}
      {price !== null && <Lines name="Price" lines={describePrice(price)} />}
      {aliases.length > 0 && <Property name="Aliases">{aliases.join(', ')}</Property>}
      <Property name="Owner">{ownedBy}</Property>
    </SimpleGrid>
  );
}

function Lines({ name, lines }: { name: string; lines: string[] }) {
  return (
    <Property name={name}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </Property>
  );
}

import { ActionIcon, Group, Table, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import type { ModelPrice, ModelUpstream, ServedModel } from '../../api/schema.js';
import { formatMilliseconds, formatOptional, formatShare } from '../../lib/format-numbers.js';
import { CopyIconButton } from '../../ui/CopyButton.js';
import { NoValue } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { describePrice } from './describe-model.js';
import { describeModel, describeUpstream } from './describe-state.js';
import { ModelDetails } from './ModelDetails.js';
import classes from './Models.module.css';
import { StateLabel } from './StateLabel.js';

const taskLabels = { embeddings: 'Embeddings', ocr: 'OCR', generation: 'Generation' };
const columnCount = 6;
const maxPriceLines = 2;
/** Of a model that runs inside Keycard, or whose upstreams have rows of their own. */
const unmeasured = { p95Milliseconds: null, errorShare: null, lastError: null };

/** The row of a model, those of its upstreams if there are several, and its details once they are open. */
export function ModelRows({ model }: { model: ServedModel }) {
  const { id, task, price, upstreams, engine } = model;
  const [isOpen, { toggle }] = useDisclosure(false);
  const detailsId = useId();
  const [first, ...others] = upstreams;
  const only = others.length === 0 ? first : undefined;
  const servedBy = engine !== null ? 'inside Keycard' : (only?.host ?? `${upstreams.length} upstreams`);
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row" className={classes.name}>
          <Group gap="sm" wrap="nowrap" justify="space-between">
            <div>
              {id}
              <Text size="xs" c="dimmed" fw={400}>
                {taskLabels[task]} · {servedBy}
              </Text>
              {only !== undefined && <HiddenHealth {...only} />}
            </div>
            <CopyIconButton value={id} label={`Copy ${id}`} />
          </Group>
        </Table.Th>
        <Table.Td>
          <StateLabel {...describeModel(model)} />
        </Table.Td>
        <HealthCells {...(only ?? unmeasured)} />
        <Table.Td visibleFrom="md">{price === null ? <NoValue>Not set</NoValue> : <Price price={price} />}</Table.Td>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Details of ${id}`}
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={toggle}
          >
            <IconChevronDown size={16} className={classes.chevron} data-open={isOpen || undefined} />
          </ActionIcon>
        </Table.Td>
      </Table.Tr>
      {others.length > 0 &&
        upstreams.map((upstream, index) => <UpstreamRow key={index} model={id} upstream={upstream} />)}
      {isOpen && (
        <Table.Tr id={detailsId} className={classes.part}>
          <Table.Td colSpan={columnCount}>
            <ModelDetails model={model} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** One of several upstreams of a model. */
function UpstreamRow({ model, upstream }: { model: string; upstream: ModelUpstream }) {
  const { host, share, model: remoteModel } = upstream;
  return (
    <Table.Tr className={`${classes.part} ${classes.upstream}`}>
      <Table.Th scope="row" className={classes.name}>
        <Text size="sm">{host}</Text>
        <Text size="xs" c="dimmed">
          {formatShare(share, 1)} of requests{remoteModel !== model && ` · ${remoteModel}`}
        </Text>
        <HiddenHealth {...upstream} />
      </Table.Th>
      <Table.Td>
        <StateLabel {...describeUpstream(upstream)} />
      </Table.Td>
      <HealthCells {...upstream} />
      <Table.Td visibleFrom="md" />
      <Table.Td />
    </Table.Tr>
  );
}

function HealthCells(upstream: Pick<ModelUpstream, 'p95Milliseconds' | 'errorShare' | 'lastError'>) {
  return (
    <>
      <Table.Td visibleFrom="sm" className={classes.number}>
        {formatOptional(upstream.p95Milliseconds, formatMilliseconds)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Errors {...upstream} />
      </Table.Td>
    </>
  );
}

/** What the hidden columns of a narrow window have. */
function HiddenHealth(upstream: ModelUpstream) {
  const { p95Milliseconds, errorShare } = upstream;
  return (
    <Text size="xs" c="dimmed" fw={400} component="div" hiddenFrom="sm">
      {p95Milliseconds !== null && <div>95th percentile {formatMilliseconds(p95Milliseconds)}</div>}
      {errorShare !== null && errorShare > 0 && <Errors {...upstream} />}
    </Text>
  );
}

/** The share of errors, with the last one. An older one isn't shown, as it would contradict a state that is healthy again. */
function Errors({ errorShare, lastError }: Pick<ModelUpstream, 'errorShare' | 'lastError'>) {
  if (errorShare === null) return '–';
  if (errorShare === 0 || lastError === null) return formatShare(0, 1);
  return (
    <>
      {formatShare(errorShare, 1)}
      <Text size="xs" c="dimmed" component="div">
        {lastError.reason}, <Time at={lastError.at} />
      </Text>
    </>
  );
}

/** The first prices; the details have all. */
function Price({ price }: { price: ModelPrice }) {
  const lines = describePrice(price);
  const hidden = lines.length - maxPriceLines;
  return (
    <>
      {lines.slice(0, hidden > 0 ? maxPriceLines : undefined).map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          and {hidden} more
        </Text>
      )}
    </>
  );
}

import { Code, Radio, Skeleton, Stack, Text } from '@mantine/core';
import type { ApiKeyList } from '../../../api/schema.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import { relativeTime } from '../../../lib/format-time.js';
import { useNow } from '../../../hooks/use-now.js';
import { usePermission } from '../../../session/me.js';
import classes from './KeyRemovalFields.module.css';
import type { KeyRemovalState } from './use-key-removal.js';

interface KeyRemovalFieldsProps {
  removal: KeyRemovalState;
  /** Of the member or service account. */
  name: string;
  pronoun: 'They' | 'It';
}

/** Lists the keys that a member or service account created, and asks what should happen to them. */
export function KeyRemovalFields({ removal, name, pronoun }: KeyRemovalFieldsProps) {
  const { list, isLoading, mayGetKeys } = removal;
  if (isLoading) return <Skeleton height={80} />;
  if (!mayGetKeys) {
    return (
      <Text size="sm">API keys {pronoun.toLowerCase()} created belong to the organization and will keep working.</Text>
    );
  }
  if (list?.total === 0) return <Text size="sm">{pronoun} created no API keys that still exist.</Text>;
  return (
    list !== undefined && (
      <>
        <KeyNames list={list} name={name} pronoun={pronoun} />
        <RemovalChoice removal={removal} />
      </>
    )
  );
}

interface KeyNamesProps extends Pick<KeyRemovalFieldsProps, 'name' | 'pronoun'> {
  list: ApiKeyList;
}

function KeyNames({ list: { apiKeys, total }, name, pronoun }: KeyNamesProps) {
  const now = useNow();
  return (
    <div>
      <Text size="sm" mb={6}>
        {name} created {pluralize(total, 'API key')}, which belong{total === 1 ? 's' : ''} to the organization:
      </Text>
      <ul className={classes.keys} aria-label={`${pronoun === 'They' ? 'Their' : 'Its'} API keys`} tabIndex={0}>
        {apiKeys.map(({ id, name: keyName, hint, enabled, lastUsedAt }) => (
          <li key={id} className={classes.key}>
            <span className={classes.name}>
              {keyName}
              {enabled === false && ' (disabled)'}
            </span>
            <span className={classes.use}>
              {lastUsedAt === undefined ? 'never used' : `used ${relativeTime(lastUsedAt, now)}`}
            </span>
            <Code className={classes.hint}>{hint}…</Code>
          </li>
        ))}
        {total > apiKeys.length && <li className={classes.key}>and {formatCount(total - apiKeys.length)} more</li>}
      </ul>
    </div>
  );
}

function RemovalChoice({ removal: { chosen, choose } }: Pick<KeyRemovalFieldsProps, 'removal'>) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const choices = [
    { value: 'keep', label: 'Keep them working', isAllowed: true },
    { value: 'disable', label: 'Disable them. You can enable them again.', isAllowed: mayUpdate },
    { value: 'delete', label: "Delete them. You can't undo this.", isAllowed: mayDelete },
  ] as const;
  return (
    <Radio.Group
      label="What should happen to these keys?"
      value={chosen}
      onChange={(next) => choose(choices.find((choice) => choice.value === next)?.value ?? 'keep')}
    >
      <Stack gap={8} mt={8}>
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            value={choice.value}
            label={choice.label}
            disabled={!choice.isAllowed}
            description={choice.isAllowed ? undefined : "Your role doesn't allow this."}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

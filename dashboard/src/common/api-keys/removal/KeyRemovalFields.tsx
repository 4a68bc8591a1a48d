import { Anchor, Radio, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKeyList } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { KeyLinks } from './KeyLinks.js';
import type { KeyRemoval, KeyRemovalState } from './use-key-removal.js';

interface KeyRemovalFieldsProps {
  removal: KeyRemovalState;
  /** Of the member or service account. */
  name: string;
  pronoun: 'They' | 'It';
}

/**
 * Lists the keys that a member or service account created, and asks what should happen to them. Also lists keys of others
 * whose secrets they know, because no choice affects these.
 */
export function KeyRemovalFields({ removal, name, pronoun }: KeyRemovalFieldsProps) {
  const { list, rotated, isLoading, error, retry, mayGetKeys } = removal;
  if (isLoading) return <Skeleton height={80} />;
  if (!mayGetKeys) {
    return (
      <Text size="sm">
        API keys {pronoun.toLowerCase()} created belong to the organization and will keep working. {pronoun} still{' '}
        {pronoun === 'They' ? 'know' : 'knows'} the secrets: ask someone who manages keys to rotate them.
      </Text>
    );
  }
  return (
    <>
      {error !== null && <ErrorAlert error={error} onRetry={retry} />}
      {list?.total === 0 && <Text size="sm">{pronoun} created no API keys that still exist.</Text>}
      {list !== undefined && list.total > 0 && (
        <>
          <CreatedKeys list={list} name={name} pronoun={pronoun} />
          <RemovalChoice removal={removal} name={name} />
        </>
      )}
      {rotated !== undefined && rotated.total > 0 && (
        <RotatedKeys list={rotated} pronoun={pronoun} hasCreated={list !== undefined && list.total > 0} />
      )}
    </>
  );
}

interface CreatedKeysProps extends Pick<KeyRemovalFieldsProps, 'name' | 'pronoun'> {
  list: ApiKeyList;
}

function CreatedKeys({ list, name, pronoun }: CreatedKeysProps) {
  const { total } = list;
  return (
    <div>
      <Text size="sm" mb={6}>
        {name} created {pluralize(total, 'API key')}, which belong{total === 1 ? 's' : ''} to the organization:
      </Text>
      <KeyLinks list={list} label={`${pronoun === 'They' ? 'Their' : 'Its'} API keys`} />
    </div>
  );
}

interface RotatedKeysProps extends Pick<KeyRemovalFieldsProps, 'pronoun'> {
  list: ApiKeyList;
  /** Whether keys they created are listed above. */
  hasCreated: boolean;
}

function RotatedKeys({ list, pronoun, hasCreated }: RotatedKeysProps) {
  const { total } = list;
  const know = `${hasCreated ? 'also ' : ''}know${pronoun === 'It' ? 's' : ''}`;
  return (
    <div>
      <Title order={3} size="sm">
        {pronoun} {know} the secret{total === 1 ? '' : 's'} of {pluralize(total, 'key')} {pronoun.toLowerCase()} rotated
      </Title>
      <Text size="sm" mt={2} mb={6}>
        {total === 1 ? 'This secret keeps' : 'These secrets keep'} working. To replace {total === 1 ? 'it' : 'them'},
        rotate the key{total === 1 ? '' : 's'}.
      </Text>
      <KeyLinks list={list} label={`Keys ${pronoun.toLowerCase()} rotated`} />
    </div>
  );
}

function RemovalChoice({ removal: { creatorId, chosen, choose }, name }: Omit<KeyRemovalFieldsProps, 'pronoun'>) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const choices: { value: KeyRemoval; label: string; isAllowed: boolean; effect?: string }[] = [
    {
      value: 'keep',
      label: 'Keep them working',
      isAllowed: true,
      effect: `${name} still knows their secrets and can use them, unless someone else rotated them. Rotate these keys; the overview lists them.`,
    },
    { value: 'disable', label: 'Disable them. You can enable them again.', isAllowed: mayUpdate },
    { value: 'delete', label: "Delete them. You can't undo this.", isAllowed: mayDelete },
  ];
  return (
    <div>
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
              description={choice.isAllowed ? choice.effect : "Your role doesn't allow this."}
            />
          ))}
        </Stack>
      </Radio.Group>
      {(mayUpdate || mayDelete) && (
        <Text size="sm" mt={8}>
          <Anchor inherit renderRoot={(props) => <Link to="/dashboard/keys" search={{ creatorId }} {...props} />}>
            Choose for each key in the list of keys
          </Anchor>
        </Text>
      )}
    </div>
  );
}

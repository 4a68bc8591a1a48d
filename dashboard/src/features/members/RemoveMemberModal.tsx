import { Code, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ApiKeyList, Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { keysOfCreatorQuery } from '../../common/api-keys/api-keys.js';
import { roleSubject } from '../../common/roles/assign/role-change.js';
import { formatCount, pluralize } from '../../lib/format-numbers.js';
import { notifyDone } from '../../lib/notify.js';
import { useMe, usePermission } from '../../session/me.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import classes from './RemoveMemberModal.module.css';

type KeyRemoval = 'keep' | 'disable' | 'delete';

interface RemoveMemberModalProps {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

/** Lists the keys that a member created, asks what should happen to them, then removes the member. */
export function RemoveMemberModal({ member, isOpen, onClose }: RemoveMemberModalProps) {
  const { id, userId, name, email } = member;
  const { organization } = useMe();
  const [chosen, setChosen] = useState<KeyRemoval>('keep');
  const mayGetKeys = usePermission('get-api-keys');
  const { data, isLoading } = useQuery({ ...keysOfCreatorQuery(userId), enabled: mayGetKeys && isOpen });
  const finish = () => {
    onClose();
    notifyDone(`${name} removed${describeDone(chosen, data?.total ?? 0)}.`, roleSubject({ id }));
    void refresh('members', 'roles', ...(chosen === 'keep' ? [] : (['api-keys', 'usage'] as const)));
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Remove ${name}?`}
      actionLabel="Remove member"
      nameToType={chosen === 'delete' ? name : undefined}
      action={() => unwrap(api.DELETE('/members/{id}', { params: { path: { id }, query: { keys: chosen } } }))}
      onDone={finish}
    >
      <Text size="sm">
        <b>{email}</b> will lose access to {organization.name} immediately and need a new invitation to rejoin.
      </Text>
      {isLoading && <Skeleton height={80} />}
      {data !== undefined && data.total > 0 && (
        <KeyChoice list={data} name={name} value={chosen} onChange={setChosen} />
      )}
      {data?.total === 0 && <Text size="sm">They created no API keys that still exist.</Text>}
      {!mayGetKeys && <Text size="sm">API keys they created belong to the organization and will keep working.</Text>}
    </ConfirmModal>
  );
}

function describeDone(removal: KeyRemoval, count: number): string {
  if (removal === 'keep' || count === 0) return '';
  return ` and ${pluralize(count, 'key')} ${removal === 'disable' ? 'disabled' : 'deleted'}`;
}

interface KeyChoiceProps {
  list: ApiKeyList;
  name: string;
  value: KeyRemoval;
  onChange: (removal: KeyRemoval) => void;
}

function KeyChoice({ list: { apiKeys, total }, name, value, onChange }: KeyChoiceProps) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const choices = [
    { value: 'keep', label: 'Keep them working', isAllowed: true },
    { value: 'disable', label: 'Disable them. You can enable them again.', isAllowed: mayUpdate },
    { value: 'delete', label: "Delete them. You can't undo this.", isAllowed: mayDelete },
  ] as const;
  return (
    <>
      <div>
        <Text size="sm" mb={6}>
          {name} created {pluralize(total, 'API key')}, which belong{total === 1 ? 's' : ''} to the organization:
        </Text>
        <ul className={classes.keys} aria-label="Their API keys" tabIndex={0}>
          {apiKeys.map(({ id, name: keyName, hint, enabled }) => (
            <li key={id} className={classes.key}>
              <span className={classes.name}>
                {keyName}
                {enabled === false && ' (disabled)'}
              </span>
              <Code className={classes.hint}>{hint}…</Code>
            </li>
          ))}
          {total > apiKeys.length && <li className={classes.key}>and {formatCount(total - apiKeys.length)} more</li>}
        </ul>
      </div>
      <Radio.Group
        label="What should happen to these keys?"
        value={value}
        onChange={(next) => onChange(choices.find((choice) => choice.value === next)?.value ?? 'keep')}
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
    </>
  );
}

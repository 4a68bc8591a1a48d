import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import type { CreateApiKey } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { useMe } from '../../../session/me.js';
import { organizationsQuery } from '../../../common/organizations/organizations.js';
import { CreateKeyForm } from './CreateKeyForm.js';
import { NewKeyModal } from '../new-key/NewKeyModal.js';

interface CreateKeyModalProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called after the user has saved the key. */
  onSaved: () => void;
}

async function createKey(body: CreateApiKey) {
  const response = api.POST('/api-keys', { body });
  const { key } = await unwrap(response);
  const id = (await response).response.headers.get('location')?.split('/').at(-1);
  return { key, id, models: body.models };
}

/** Creates a key and shows it once. */
export function CreateKeyModal(props: CreateKeyModalProps) {
  const { organization } = useMe();
  const { data, error, refetch } = useQuery(organizationsQuery);
  const current = data?.organizations.find(({ id }) => id === organization.id);
  return (
    <NewKeyModal
      {...props}
      title="Create key"
      form={(issue) => {
        if (current === undefined) {
          return error === null ? <Loader size="sm" /> : <ErrorAlert error={error} onRetry={() => void refetch()} />;
        }
        return (
          <CreateKeyForm
            maxDays={current.longestKeyLifetimeDays}
            // The key may have been created although the response was lost.
            create={(body) => issue(() => createKey(body)).finally(() => void refresh('api-keys'))}
          />
        );
      }}
    />
  );
}

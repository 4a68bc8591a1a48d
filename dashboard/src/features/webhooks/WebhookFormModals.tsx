import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Webhook, WebhookSecret } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { NewSecret } from '../../common/secrets/NewSecret.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { notifyDone } from '../../lib/notify.js';
import { CodeTabs } from '../../ui/CodeTabs.js';
import { FormActions } from '../../ui/FormActions.js';
import { FormModal } from '../../ui/FormModal.js';
import { type Issue, NewSecretModal } from '../../ui/NewSecretModal.js';
import { SavedConfirmation } from '../../ui/SavedConfirmation.js';
import { EventTypesInput } from './EventTypesInput.js';
import { verificationSamples } from './verification-samples.js';
import type { ChosenType } from './webhooks.js';

interface ModalProps {
  isOpen: boolean;
  onClose: () => void;
}

interface Values {
  url: string;
  eventTypes: ChosenType[];
  enabled: boolean;
}

/** Creates a webhook, then shows its secret once, with code that verifies it. */
export function CreateWebhookModal({ isOpen, onClose }: ModalProps) {
  return (
    <NewSecretModal<WebhookSecret>
      isOpen={isOpen}
      onClose={onClose}
      title="Create webhook"
      savedTitle="Save the signing secret"
      form={(issue) => <CreateWebhookForm issue={issue} />}
      secret={({ secret }, onSaved) => <NewWebhookSecret secret={secret} onSaved={onSaved} />}
    />
  );
}

/** Gives a webhook a new secret, and shows it once. */
export function RotateWebhookModal({ webhook, isOpen, onClose }: ModalProps & { webhook: Webhook }) {
  return (
    <NewSecretModal<WebhookSecret>
      isOpen={isOpen}
      onClose={onClose}
      title="Rotate signing secret"
      savedTitle="Save the signing secret"
      form={(issue) => <RotateForm webhook={webhook} issue={issue} />}
      secret={({ secret }, onSaved) => <NewWebhookSecret secret={secret} onSaved={onSaved} />}
    />
  );
}

/** Changes URL, events and state of a webhook. */
export function EditWebhookModal({ webhook, isOpen, onClose }: ModalProps & { webhook: Webhook }) {
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title="Edit webhook" size="lg">
      <EditWebhookForm webhook={webhook} onClose={onClose} />
    </FormModal>
  );
}

function CreateWebhookForm({ issue }: { issue: Issue<WebhookSecret> }) {
  const form = useWebhookForm({ url: '', eventTypes: [], enabled: true });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (values) => {
      await issue(() => unwrap(api.POST('/webhooks', { body: toBody(values) })));
      await refresh('webhooks');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <FormActions submitLabel="Create webhook" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}

function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, url, eventTypes, enabled } = webhook;
  const form = useWebhookForm({ url, eventTypes: eventTypes ?? [], enabled });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (values) => {
      await unwrap(api.PATCH('/webhooks/{id}', { params: { path: { id } }, body: toBody(values) }));
      await refresh('webhooks');
    },
    onDone: () => {
      onClose();
      notifyDone('Webhook changed.');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <WebhookFields form={form} />
        <Switch
          label="Enabled"
          description="Enabling retries the deliveries that wait."
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <FormActions submitLabel="Save" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}

function WebhookFields({ form }: { form: ReturnType<typeof useWebhookForm> }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Events are sent here with POST. Must begin with https:// and have a public IP address, unless the operator allows others."
        placeholder="https://example.com/webhooks/keycard"
        type="url"
        maxLength={2000}
        data-autofocus
        {...form.getInputProps('url')}
      />
      <EventTypesInput
        value={form.values.eventTypes}
        onChange={(eventTypes) => form.setFieldValue('eventTypes', eventTypes)}
      />
    </>
  );
}

function RotateForm({ webhook: { id }, issue }: { webhook: Webhook; issue: Issue<WebhookSecret> }) {
  const form = useForm({ initialValues: {} });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async () => {
      await issue(() =>
        unwrap(api.POST('/webhooks/{id}/rotate', { params: { path: { id } }, body: { gracePeriodSeconds: 86_400 } })),
      );
      await refresh('webhooks');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          For 24 hours, deliveries are signed with both secrets. Replace the secret of your receiver in that time.
        </Text>
        <FormActions submitLabel="Rotate secret" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}

function NewWebhookSecret({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Stack>
      <NewSecret
        secret={secret}
        noun="signing secret"
        instruction="Copy the signing secret now."
        onCopied={() => setIsSaved(true)}
      />
      <Text size="sm" fw={500}>
        Receive and verify events
      </Text>
      <CodeTabs snippets={verificationSamples} />
      <SavedConfirmation label="I've saved this secret" isSaved={isSaved} onChange={setIsSaved} onDone={onSaved} />
    </Stack>
  );
}

function useWebhookForm(initialValues: Values) {
  return useForm<Values>({ initialValues, validate: { url: checkUrl }, enhanceGetInputProps: checkOnBlur });
}

const checkUrl = (url: string) => (URL.canParse(url.trim()) ? undefined : 'Enter a URL, such as https://example.com/.');

/** No chosen type means all. */
function toBody({ url, eventTypes, enabled }: Values) {
  return { url: url.trim(), eventTypes: eventTypes.length === 0 ? null : eventTypes, enabled };
}

import { Alert, Divider, Grid, Paper, Stack } from '@mantine/core';
import { useRef } from 'react';
import type { NamedModel } from '../../../common/models/models.js';
import { createKeptState } from '../../../hooks/kept-state.js';
import type { WithKey } from '../key/use-playground-key.js';
import { ModelSelect } from '../ModelSelect.js';
import { useModelChoice } from '../use-model-choice.js';
import { ChatSamples } from './ChatSamples.js';
import { nextMessages } from './chat-turn.js';
import { Composer } from './Composer.js';
import { Conversation } from './Conversation.js';
import { SettingsFields } from './SettingsFields.js';
import { useKeptDraft, useKeptSettings } from './settings.js';
import { useChat } from './use-chat.js';

interface ChatTabProps {
  /** `undefined` until a key is selected. */
  models: NamedModel[] | undefined;
  withKey: WithKey;
}

const useKeptModel = createKeptState<string | undefined>(undefined);

/** A conversation with a generation model, or single prompts for a model that only completes text. */
export function ChatTab({ models, withKey }: ChatTabProps) {
  const ids = models?.map(({ id }) => id);
  const { model: name, choose } = useModelChoice(ids, useKeptModel());
  const model = models?.find(({ id }) => id === name);
  const [settings, keptSettings] = useKeptSettings();
  const [draft] = useKeptDraft();
  const { system, ...parameters } = settings;
  const chat = useChat({ model, system, parameters, withKey });
  const { turns, isStreaming } = chat;
  const field = useRef<HTMLTextAreaElement>(null);
  if (models?.length === 0) return <Alert color="gray">No generation model is available.</Alert>;
  const routes = model?.served.routes ?? [];
  const isPrompt = routes[0] === 'completions';
  return (
    <Stack gap="xl">
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <ModelSelect
              models={ids ?? []}
              value={name}
              onChange={choose}
              description={routes[0] && `POST /v1/${routes[0]}`}
            />
            <SettingsFields
              settings={settings}
              onChange={keptSettings.set}
              route={routes[0]}
              maxOutputTokens={model?.served.maxOutputTokens ?? null}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Paper withBorder>
            <Conversation
              turns={turns}
              models={(models ?? []).map(({ served }) => served)}
              emptyText={
                isPrompt
                  ? 'The model continues your prompt. Each prompt is sent alone.'
                  : 'Send a message. The whole conversation is sent each time.'
              }
              onRetry={() => {
                chat.retry();
                // The button is gone.
                field.current?.focus();
              }}
            />
            <Divider />
            <Stack p="md">
              <Composer
                field={field}
                label={isPrompt ? 'Prompt' : 'Message'}
                isDisabled={model === undefined}
                isStreaming={isStreaming}
                onSend={chat.send}
                onStop={chat.stop}
                onReset={turns.length > 0 ? chat.reset : undefined}
              />
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
      {model !== undefined && (
        <ChatSamples
          routes={routes}
          request={{ model: model.id, system, messages: nextMessages(turns, draft), ...parameters }}
        />
      )}
    </Stack>
  );
}

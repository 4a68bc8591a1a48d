import { Box, Group, Loader, Text } from '@mantine/core';
import type { ServedModel } from '../../../api/schema.js';
import { CopyIconButton } from '../../../ui/CopyButton.js';
import { RequestError } from '../RequestError.js';
import type { ChatTurn } from './chat-turn.js';
import classes from './Chat.module.css';
import { describeResponse } from './describe-response.js';

interface TurnProps {
  turn: ChatTurn;
  /** To find the price of a fallback. */
  models: readonly ServedModel[];
  /** Sends the message again; undefined for earlier turns. */
  onRetry: (() => void) | undefined;
}

/** A message and the model's response, with its figures. */
export function Turn({ turn: { message, model, modelId, route, response }, models, onRetry }: TurnProps) {
  const { status, text, isCutOff, error, servedBy = modelId } = response;
  const price = models.find(({ id }) => id === servedBy)?.price ?? null;
  const figures = describeResponse({ route, response, price });
  const notes = [
    ...(isCutOff ? ['Cut off at the output limit.'] : []),
    ...(status === 'stopped' ? ['Stopped.'] : []),
    ...(status === 'complete' && text === '' ? ['The response has no text.'] : []),
  ];
  return (
    <>
      <Box className={classes.message}>
        <Text size="xs" c="dimmed" mb={2}>
          You
        </Text>
        <div className={classes.text}>{message}</div>
      </Box>
      <div aria-busy={status === 'streaming'}>
        <Group gap={6} mb={2}>
          <Text size="xs" c="dimmed">
            {servedBy === modelId ? model : `${servedBy}, a fallback of ${model}`}
          </Text>
          {status === 'streaming' && <Loader size={12} aria-label="Waiting for the response" />}
          {status !== 'streaming' && text !== '' && <CopyIconButton value={text} label="Copy response" />}
        </Group>
        {text !== '' && <div className={classes.text}>{text}</div>}
        {notes.length > 0 && (
          <Text size="sm" fs="italic" mt={4}>
            {notes.join(' ')}
          </Text>
        )}
        {error !== undefined && (
          <Box mt={4}>
            <RequestError error={error} {...(onRetry && { onRetry })} />
          </Box>
        )}
        {status !== 'streaming' && figures.length > 0 && (
          <Text size="xs" c="dimmed" mt={4}>
            {figures.join(' · ')}
          </Text>
        )}
      </div>
    </>
  );
}

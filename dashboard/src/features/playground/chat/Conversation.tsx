import { Center, Stack, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import type { ServedModel } from '../../../api/schema.js';
import type { ChatTurn } from './chat-turn.js';
import classes from './Chat.module.css';
import { Turn } from './Turn.js';

interface ConversationProps {
  turns: readonly ChatTurn[];
  models: readonly ServedModel[];
  emptyText: string;
  onRetry: () => void;
}

/** How far from the end a reader may be and still follow new text. */
const followPixels = 48;

/** The turns so far. Follows new text, unless the user has scrolled up. */
export function Conversation({ turns, models, emptyText, onRetry }: ConversationProps) {
  const area = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const { length } = turns;
  useLayoutEffect(() => {
    follows.current = true;
  }, [length]);
  useLayoutEffect(() => {
    const { current } = area;
    if (current !== null && follows.current) current.scrollTop = current.scrollHeight;
  }, [turns]);
  return (
    <Stack
      ref={area}
      className={classes.conversation}
      gap="md"
      role="log"
      aria-label="Conversation"
      // Scrolls with the keyboard, too.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < followPixels;
      }}
    >
      {turns.map((turn, index) => (
        <Turn key={turn.id} turn={turn} models={models} onRetry={index === length - 1 ? onRetry : undefined} />
      ))}
      {length === 0 && (
        <Center flex={1}>
          <Text c="dimmed" ta="center" maw={320} style={{ textWrap: 'balance' }}>
            {emptyText}
          </Text>
        </Center>
      )}
    </Stack>
  );
}

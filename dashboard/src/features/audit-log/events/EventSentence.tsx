import { Code, Text } from '@mantine/core';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { describeEvent, type Phrase } from './describe-event.js';
import type { NamedEvent } from './named-event.js';

/** Describes the event in one sentence, with names in bold. */
export function EventSentence({ event }: { event: NamedEvent }) {
  return <Sentence phrases={describeEvent(event, useCurrency())} />;
}

/** A sentence with names in bold. */
export function Sentence({ phrases }: { phrases: readonly Phrase[] }) {
  return (
    <Text size="sm" component="p">
      {phrases.map(({ text, kind }, index) => {
        if (kind === 'words') return text;
        if (kind === 'hint') return <Code key={index}>{text}</Code>;
        return (
          <Text key={index} span inherit fw={600}>
            {text}
          </Text>
        );
      })}
    </Text>
  );
}

import { Code, Text } from '@mantine/core';
import type { AuditEvent } from '../../../api/schema.js';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { describeEvent } from './describe-event.js';

/** Describes the event in one sentence, with names in bold. */
export function EventSentence({ event }: { event: AuditEvent }) {
  const currency = useCurrency();
  return (
    <Text size="sm" component="p">
      {describeEvent(event, currency).map(({ text, kind }, index) => {
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

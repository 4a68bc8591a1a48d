import { Code, Text } from '@mantine/core';
import type { FailureCount } from '../../../api/schema.js';

type FailureCauseProps = Pick<FailureCount, 'title' | 'status' | 'code' | 'clientCode' | 'remedy'>;

/**
 * A title, the status and code that the client received, the code in the list of errors unless it only differs in
 * punctuation, and what to do.
 */
export function FailureCause({ title, status, code, clientCode, remedy }: FailureCauseProps) {
  return (
    <>
      <Text size="sm">{title}</Text>
      <Text size="xs" c="dimmed">
        {clientCode === null ? `${status} · ${code}` : `${status} ${clientCode}`}
        {clientCode !== null && clientCode.replaceAll('_', '-') !== code && ` · ${code}`}
      </Text>
      {remedy !== null && <Text size="xs">{withCode(remedy)}</Text>}
    </>
  );
}

/** Formats text in backticks as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <Code key={index}>{part}</Code>));
}

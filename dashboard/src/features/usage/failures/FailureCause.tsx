import { Code, Text } from '@mantine/core';
import type { FailedRequest } from '../../../api/schema.js';
import { describeLimit } from '../../limits/limits.js';

type Cause = Pick<FailedRequest, 'title' | 'status' | 'code' | 'clientCode' | 'remedy'>;
type FailureCauseProps = Cause & Partial<Pick<FailedRequest, 'exceededLimit'>>;

/**
 * A title, the limit that rejected the request, the status and code that the client received, the code in the list of errors unless it only differs in
 * punctuation, and what to do.
 */
export function FailureCause({ title, status, code, clientCode, remedy, exceededLimit }: FailureCauseProps) {
  return (
    <>
      <Text size="sm">{title}</Text>
      {exceededLimit && (
        <Text size="sm">
          {exceededLimit.owner === 'api-key' ? 'This key' : 'The organization'}: {describeLimit(exceededLimit)}
        </Text>
      )}
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
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <Code key={index} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </Code>
    ),
  );
}

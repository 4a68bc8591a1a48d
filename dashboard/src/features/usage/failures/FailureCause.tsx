import { Code, Text } from '@mantine/core';
import type { FailedRequest } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { describeLimit } from '../../limits/limits.js';

type Cause = Pick<FailedRequest, 'title' | 'status' | 'code' | 'clientCode' | 'remedy'>;
type ExceededLimit = NonNullable<FailedRequest['exceededLimit']>;
type FailureCauseProps = Cause & Partial<Pick<FailedRequest, 'exceededLimit'>>;

/**
 * A title, the limit that rejected the request, the status and code that the client received, and what to do. Errors
 * without a code for clients have the one in the list of errors.
 */
export function FailureCause({ status, code, clientCode, exceededLimit, ...cause }: FailureCauseProps) {
  const { title, remedy } =
    exceededLimit && exceededLimit.needed > exceededLimit.max ? neverFits(exceededLimit) : cause;
  return (
    <>
      <Text size="sm">{title}</Text>
      {exceededLimit && (
        <Text size="sm">
          {exceededLimit.owner === 'api-key' ? 'This key' : 'The organization'}: {describeLimit(exceededLimit)}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {status} {clientCode ?? code}
      </Text>
      {remedy !== null && <Text size="xs">{withCode(remedy)}</Text>}
    </>
  );
}

function neverFits({ metric, needed }: ExceededLimit): Pick<Cause, 'title' | 'remedy'> {
  const amount = pluralize(needed, metric.slice(0, -1));
  return {
    title: 'Larger than a limit',
    remedy: `The request has ${amount}. Send less at a time, or raise the limit.`,
  };
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

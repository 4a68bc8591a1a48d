import { Code, Text } from '@mantine/core';
import type { FailedRequest } from '../../api/schema.js';
import { pluralize } from '../../lib/format-numbers.js';
import { describeLimit } from '../limits/limits.js';

type ExceededLimit = NonNullable<FailedRequest['exceededLimit']>;
type FailureCauseProps = Pick<FailedRequest, 'title' | 'status' | 'clientCode' | 'remedy'> &
  Partial<Pick<FailedRequest, 'invalidFields' | 'exceededLimit'>>;

const invalidStatus = 400;

/** A title, the invalid fields or the exceeded limit, the status and code that the client received, and what to do. */
export function FailureCause(props: FailureCauseProps) {
  const { title, status, clientCode, remedy, invalidFields = [], exceededLimit } = props;
  return (
    <>
      <Text size="sm">{title}</Text>
      {exceededLimit && <Text size="sm">{describeExceeded(exceededLimit)}</Text>}
      {status === invalidStatus && invalidFields.length > 0 && (
        <Text size="sm">
          {invalidFields.length === 1 ? 'Field' : 'Fields'}: {invalidFields.join(', ')}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {status} {clientCode}
      </Text>
      {remedy !== null && <Text size="xs">{withCode(remedy)}</Text>}
    </>
  );
}

function describeExceeded(limit: ExceededLimit): string {
  const { owner, metric, max, needed } = limit;
  const whose = owner === 'api-key' ? 'This key' : 'The organization';
  const size = needed > max ? `; the request has ${pluralize(needed, metric.slice(0, -1))}` : '';
  return `${whose}: ${describeLimit(limit)}${size}`;
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

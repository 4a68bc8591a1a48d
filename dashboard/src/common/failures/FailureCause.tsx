import { Code, Text } from '@mantine/core';
import type { FailedRequest } from '../../api/schema.js';
import { nameAmount, toUnits } from '../limits/amounts.js';
import { describeLimit } from '../limits/describe-limit.js';
import { useCurrency } from '../limits/use-currency.js';

type ExceededLimit = NonNullable<FailedRequest['exceededLimit']>;
type FailureCauseProps = Pick<FailedRequest, 'title' | 'status' | 'clientCode' | 'remedy'> &
  Partial<Pick<FailedRequest, 'invalidFields' | 'exceededLimit'>>;

const invalidStatus = 400;

/** A title, the invalid fields or the exceeded limit, the status and code that the client received, and what to do. */
export function FailureCause(props: FailureCauseProps) {
  const { title, status, clientCode, remedy, invalidFields = [], exceededLimit } = props;
  const currency = useCurrency();
  return (
    <>
      <Text size="sm">{title}</Text>
      {exceededLimit && <Text size="sm">{describeExceeded(exceededLimit, currency)}</Text>}
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

function describeExceeded(limit: ExceededLimit, currency: string | undefined): string {
  const { owner, metric, max, needed } = limit;
  const whose = owner === 'api-key' ? 'This key' : 'The organization';
  const isTooLarge = toUnits(metric, needed) > toUnits(metric, max);
  const size = isTooLarge ? `; the request needs ${nameAmount(metric, needed, currency)}` : '';
  return `${whose}: ${describeLimit(limit, currency)}${size}`;
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

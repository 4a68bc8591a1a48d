import { Alert, Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNow } from '../../hooks/use-now.js';
import { minuteTime } from '../../lib/format-time.js';
import { immediately, type LeakedSecret } from './grace-period.js';
import { GracePeriodForm } from './GracePeriodForm.js';
import classes from '../api-keys/key-name.module.css';

type Noun = 'secret' | 'client secret';

/** The previous secret, while it's accepted. */
interface PreviousSecret {
  previousSecretHint?: string | null;
  /** ISO 8601. */
  previousSecretExpiresAt?: string;
}

interface RotateKeyFormProps {
  /** The name of the key or service account. */
  name: string;
  noun?: Noun;
  previous: PreviousSecret | undefined;
  /** When the new secret will expire, like the current one; ISO 8601. */
  expiresAt?: string | undefined;
  /** If the current secret leaked. */
  leaked?: LeakedSecret | undefined;
  /** Warns of who knows the current secret. */
  warning?: string | undefined;
  rotate: (gracePeriodSeconds: number) => Promise<void>;
}

/** A form for the grace period of the current secret of a key or service account. */
export function RotateKeyForm({
  name,
  noun = 'secret',
  previous,
  expiresAt,
  leaked,
  warning,
  rotate,
}: RotateKeyFormProps) {
  return (
    <GracePeriodForm
      // Lists don't say which secret leaked, so the choice may change when the details of the key arrive.
      key={leaked}
      hasGracePeriod={leaked !== 'rejected'}
      {...(leaked === 'accepted' && { initialChoice: immediately })}
      revoked={`current ${noun}`}
      submitLabel={noun === 'secret' ? 'Rotate key' : 'Rotate client secret'}
      rotate={rotate}
    >
      {(isImmediate) => (
        <>
          <Text size="sm">
            This creates a new {noun} for{' '}
            <Text span fw={600} inherit className={classes.name}>
              {name}
            </Text>
            .{' '}
            {leaked === 'rejected'
              ? `The leaked ${noun} is revoked immediately.`
              : isImmediate
                ? `Anything using the current ${noun} will stop working immediately.`
                : `The current ${noun} keeps working until it's revoked, so you can replace it without downtime.`}
          </Text>
          {expiresAt !== undefined && (
            <Text size="sm">
              The new {noun} also expires on {minuteTime(expiresAt)}. You can change that afterwards.
            </Text>
          )}
          {warning !== undefined && (
            <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
              {warning}
            </Alert>
          )}
          <PreviousWarning noun={noun} {...previous} />
        </>
      )}
    </GracePeriodForm>
  );
}

/** Warns that a secret revoked by the rotation is in its grace period. */
function PreviousWarning({ noun, previousSecretHint, previousSecretExpiresAt }: PreviousSecret & { noun: Noun }) {
  const now = useNow();
  if (previousSecretExpiresAt === undefined || Date.parse(previousSecretExpiresAt) <= now) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
      The previous {noun} {previousSecretHint && <Code>{previousSecretHint}…</Code>} works until{' '}
      {minuteTime(previousSecretExpiresAt)}. Rotating again revokes it immediately.
    </Alert>
  );
}

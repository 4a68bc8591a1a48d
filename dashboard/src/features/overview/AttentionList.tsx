import { Group, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconGauge,
  IconServerOff,
  IconUserMinus,
  IconUserQuestion,
  IconWallet,
  IconWebhook,
  IconZzz,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Attention, AttentionItem, LimitState } from '../../api/schema.js';
import { useTimeText } from '../../hooks/use-now.js';
import { formatCount, formatShare } from '../../lib/format-numbers.js';
import { relativeTime } from '../../lib/format-time.js';
import { usePermission } from '../../session/me.js';
import { LimitsLink, ListLink, NameLink } from './AttentionLinks.js';
import classes from './AttentionList.module.css';
import {
  type AttentionKind,
  describeAttention,
  type Description,
  hasReachedLimit,
  nameChecked,
} from './describe-attention.js';
import { describeBudgets } from './describe-budgets.js';

const icons: Record<AttentionKind, typeof IconClock> = {
  'leaked-keys': IconAlertTriangle,
  'failing-upstreams': IconServerOff,
  'failing-webhooks': IconWebhook,
  'keys-near-limits': IconGauge,
  'expiring-keys': IconClock,
  'keys-known-to-former-members': IconUserMinus,
  'unused-keys': IconZzz,
  'members-never-signed-in': IconUserQuestion,
};

const colors: Partial<Record<AttentionKind, string>> = {
  'leaked-keys': 'red',
  'failing-upstreams': 'red',
  'failing-webhooks': 'red',
  'keys-near-limits': 'orange',
  'expiring-keys': 'orange',
  'keys-known-to-former-members': 'orange',
};

interface AttentionListProps {
  attention: Attention[];
  /** Of the organization. */
  limits: LimitState[];
  timeZone: string;
  currency: string;
}

/** A line for each kind of thing that needs attention, with what to do about it. */
export function AttentionList({ attention, limits, timeZone, currency }: AttentionListProps) {
  const budgets = describeBudgets(limits, timeZone, currency);
  const needed = attention.filter(({ count }) => count > 0);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-attention">
      <Title order={2} size="h4" mb="md" id="overview-attention">
        Needs attention
      </Title>
      {needed.length === 0 && budgets.length === 0 ? (
        <NothingNeeded checked={nameChecked(attention.map(({ kind }) => kind))} />
      ) : (
        <ul className={classes.list}>
          {budgets.map(({ level, ...description }) => (
            <Line
              key={description.title}
              icon={IconWallet}
              color={level === 'full' ? 'red' : 'orange'}
              description={description}
              link={<LimitsLink />}
            />
          ))}
          {needed.map((entry) => (
            <AttentionLine key={entry.kind} {...entry} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function NothingNeeded({ checked }: { checked: string }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <IconCircleCheck size={20} color="var(--mantine-color-teal-filled)" aria-hidden style={{ flexShrink: 0 }} />
      <div>
        <Text size="sm" fw={500}>
          Nothing needs attention
        </Text>
        <Text size="sm" c="dimmed">
          Checked: {checked}.
        </Text>
      </div>
    </Group>
  );
}

function AttentionLine({ kind, count, first }: Attention) {
  const mayUpdateKeys = usePermission('update-api-keys');
  return (
    <Line
      icon={icons[kind]}
      color={colors[kind] ?? 'gray'}
      description={describeAttention({ kind, count, first }, mayUpdateKeys)}
      link={<ListLink kind={kind} />}
    >
      <div className={classes.names}>
        {first.map((item) => (
          <Text span size="sm" key={`${item.id} ${item.name}`}>
            <NameLink kind={kind} id={item.id} name={item.name} /> <Note kind={kind} item={item} />
          </Text>
        ))}
        {count > first.length && (
          <Text span size="sm" c="dimmed">
            and {formatCount(count - first.length)} more
          </Text>
        )}
      </div>
    </Line>
  );
}

interface LineProps {
  icon: typeof IconClock;
  color: string;
  description: Description;
  /** Leads to all of them. */
  link: ReactNode;
  children?: ReactNode;
}

function Line({ icon: Icon, color, description: { title, advice }, link, children }: LineProps) {
  return (
    <li className={classes.line}>
      <ThemeIcon variant="light" color={color} size={28} radius="xl">
        <Icon size={16} aria-hidden />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {advice}
        </Text>
        {children}
      </div>
      <div className={classes.more}>{link}</div>
    </li>
  );
}

/** What distinguishes one from the others. */
function Note({ kind, item }: { kind: AttentionKind; item: AttentionItem }) {
  const { at, usedPercent, isDisabled, previousSecretExpiresAt } = item;
  const expiry = useTimeText((now) => (at === undefined ? '' : relativeTime(at, now)));
  const note =
    usedPercent !== undefined
      ? hasReachedLimit(item)
        ? 'budget used up'
        : formatShare(usedPercent, 100)
      : isDisabled === true
        ? 'disabled'
        : previousSecretExpiresAt !== undefined
          ? 'rotated'
          : kind === 'expiring-keys'
            ? expiry
            : '';
  if (note === '') return null;
  return (
    <Text span inherit c="dimmed">
      {note}
    </Text>
  );
}

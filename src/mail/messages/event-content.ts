import type { Content } from './message.js';

interface Named {
  id?: string;
  name?: string | null;
  hint?: string | null;
  host?: string | null;
}

type Data = Readonly<Record<string, unknown>>;

/** What a mail about an event says, without its footer. */
type EventContent = Omit<Content, 'footer'>;

interface Context {
  /** Of the organization. */
  organization: string;
  /** URL of the dashboard. */
  dashboard: string;
}

/** Describes an expiring key. */
export function describeExpiringKey(data: Data, { organization, dashboard }: Context): EventContent {
  const key = keyOf(data);
  const days = data['daysLeft'] === 1 ? 'in a day' : `in ${textOf(data['daysLeft'])} days`;
  return {
    subject: `API key ${nameOf(key)} expires ${days}`,
    paragraphs: [
      `The API key ${describeKey(key)} of ${organization} expires ${days}, at ${textOf(data['expiresAt'])}.`,
      'Requests using it are rejected from then on. Change its expiry, or replace it.',
    ],
    link: keyLink(key, dashboard),
  };
}

/** Describes a budget that reached a percentage. */
export function describeLimit(data: Data, { organization, dashboard }: Context): EventContent {
  const key = 'apiKey' in data ? keyOf(data) : undefined;
  const owner = key === undefined ? organization : `the API key ${describeKey(key)} of ${organization}`;
  const budget = `${textOf(data['metric'])} per ${textOf(data['per'])}`;
  const isExhausted = Number(data['percent']) >= 100;
  const state = isExhausted ? 'is exhausted' : `reached ${textOf(data['percent'])}%`;
  return {
    subject: `${isExhausted ? 'Budget exhausted' : `Budget at ${textOf(data['percent'])}%`}: ${nameOf(key) || organization}`,
    paragraphs: [
      `The budget of ${owner} for ${budget} ${state}: ${textOf(data['charged'])} of ${textOf(data['max'])} used.`,
      isExhausted ? 'Further requests are rejected until the budget is raised or its next period starts.' : '',
    ].filter((paragraph) => paragraph !== ''),
    link:
      key === undefined
        ? { label: 'Open the organization', url: `${dashboard}/organization` }
        : keyLink(key, dashboard),
  };
}

/** Describes a webhook that was disabled. */
export function describeWebhook(data: Data, { organization, dashboard }: Context): EventContent {
  const { host } = (data['webhook'] ?? {}) as Named;
  const reason = data['reason'] === 'gone' ? 'it responded with status 410' : 'its deliveries failed for days';
  return {
    subject: `Webhook to ${host ?? 'a server'} disabled`,
    paragraphs: [`Keycard disabled the webhook of ${organization} to ${host ?? 'a server'}, because ${reason}.`],
    link: { label: 'Open webhooks', url: `${dashboard}/webhooks` },
  };
}

const outcomes: Partial<Record<string, string>> = {
  disabled: 'Keycard disabled it. Rotate it before you enable it again.',
  deleted: 'Keycard deleted it. Requests using it are now rejected.',
  'previous-secret-revoked':
    'It was the secret from before the last rotation. Keycard revoked that one; the current one keeps working.',
  unchanged: 'It still works, because your organization chose to be notified only. Rotate it without a grace period.',
};

/** Describes a leaked key. The URL is only text: its reporter chose it. */
export function describeLeak(data: Data, { organization, dashboard }: Context): EventContent {
  const key = keyOf(data);
  const { url, source, outcome } = data;
  const place = [source, url].filter((part) => typeof part === 'string').join(', ');
  return {
    subject: `API key ${nameOf(key)} leaked`,
    paragraphs: [
      `The API key ${describeKey(key)} of ${organization} was reported as leaked.`,
      ...(place === '' ? [] : [`It was found here: ${place}`]),
      outcomes[textOf(outcome)] ?? '',
      'Check what the key was used for since.',
    ].filter((paragraph) => paragraph !== ''),
    link:
      outcome === 'deleted' ? { label: 'Open the audit log', url: `${dashboard}/audit-log` } : keyLink(key, dashboard),
  };
}

const keyOf = (data: Data) => (data['apiKey'] ?? {}) as Named;
const nameOf = (key: Named | undefined) => key?.name ?? '';
const keyLink = ({ id }: Named, dashboard: string) => ({ label: 'Open the key', url: `${dashboard}/keys/${id}` });

function describeKey({ name, hint }: Named): string {
  return `“${name}”${hint ? ` (${hint}…)` : ''}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

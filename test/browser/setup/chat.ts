import type { ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import type { ModelDefinition } from '../../../src/config/model-definition.js';
import { createApiKey, type CreatedKey } from '../../factories/api-keys.js';
import { createMember } from '../../factories/organizations.js';
import { type ReceivedRequest, type Upstream, upstreamModel } from '../../setup/upstream.js';
import type { Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

/** A generation model of this upstream. */
export function chatModel({ baseUrl }: Pick<Upstream, 'baseUrl'>, fields: Partial<ModelDefinition>): ModelDefinition {
  return upstreamModel([{ baseUrl }], { task: 'generation', maxOutputTokens: 16_384, ...fields });
}

/** A stream that a test writes event by event. */
export interface OpenStream {
  readonly request: ReceivedRequest;
  readonly body: Readonly<Record<string, unknown>>;
  /** Sends events, each as JSON unless it's text. */
  readonly send: (...events: (object | string)[]) => void;
  readonly end: () => void;
  /** Resolves when the connection is closed before the end. */
  readonly aborted: Promise<void>;
}

/** Lets a test answer the upstream's next request with a stream. */
export function nextStream(upstream: Upstream): Promise<OpenStream> {
  return new Promise((resolve) => {
    upstream.respond = (response, request) => resolve(openStream(response, request));
  });
}

function openStream(response: ServerResponse, request: ReceivedRequest): OpenStream {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const body = JSON.parse(String(request.body)) as Record<string, unknown>;
  return {
    request,
    body,
    send: (...events) => {
      for (const event of events) response.write(toText(event));
    },
    end: () => response.end(),
    aborted: new Promise((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    }),
  };
}

/** Events of OpenAI's responses and Anthropic's messages repeat their type as their name. */
function toText(event: object | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`;
  const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

/** An event of a chat completion. */
export const chunk = (content: string, finishReason: string | null = null) => ({
  id: 'c1',
  model: 'remote-small',
  choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
});

/** The event with the usage of a chat completion, and the end. */
export const chatEnd = [
  {
    id: 'c1',
    model: 'remote-small',
    choices: [],
    usage: {
      prompt_tokens: 1200,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 1000 },
      completion_tokens_details: { reasoning_tokens: 10 },
    },
  },
  '[DONE]',
] as const;

/** Opens the chat with a new key, and selects a model. */
export async function openChat(dashboard: Dashboard, visitor: Visitor, model: string): Promise<CreatedKey> {
  const { page } = visitor;
  const member = await createMember(dashboard.service);
  const created = await createApiKey(dashboard.service, member);
  await visitor.visit(member, '/dashboard/playground');
  await page.getByRole('textbox', { name: 'API key' }).fill(created.key);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('Using key').waitFor();
  await page.getByRole('combobox', { name: 'Model' }).selectOption(model);
  return created;
}

export const messageField = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' });

/** Sends a message with the keyboard. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await messageField(page).press('Enter');
}

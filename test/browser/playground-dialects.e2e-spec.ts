import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startUpstream, type Upstream } from '../setup/upstream.js';
import {
  chatEnd,
  chatModel,
  chunk,
  conversation,
  messageField,
  nextStream,
  openChat,
  sendMessage,
} from './setup/chat.js';
import { Dashboard } from './setup/dashboard.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';

const dashboard = new Dashboard();
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
  const models = [
    chatModel(upstream, { id: 'claude', routes: ['messages'] }),
    chatModel(upstream, { id: 'gpt', routes: ['responses'] }),
    chatModel(upstream, { id: 'base', routes: ['completions'] }),
    chatModel(upstream, { id: 'both', routes: ['chat/completions', 'messages'] }),
  ];
  await dashboard.start({ config: { models } });
});
afterAll(async () => {
  await dashboard.stop();
  await upstream.stop();
});

const listLanguages = (page: Page) => page.getByRole('tablist', { name: 'Languages' }).getByRole('tab').allInnerTexts();

describe("A chat with a model that speaks Anthropic's messages", () => {
  it(
    "should send Anthropic's headers and limit, and count cached tokens as input",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await openChat(dashboard, visitor, 'claude');
      await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
      const sent = page.waitForRequest(/\/v1\/messages$/);
      const next = nextStream(upstream);
      await sendMessage(page, 'Hi');
      expect((await sent).headers()).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' });
      const { body, request, send, end } = await next;
      expect(request.headers['anthropic-version']).toBe('2023-06-01');
      expect(body).toEqual({
        model: 'remote-small',
        max_tokens: 1024,
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
      });
      const usage = { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 0, output_tokens: 1 };
      send(
        { type: 'message_start', message: { id: 'm1', model: 'remote-small', usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'ping' },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: null, output_tokens: 7 } },
        { type: 'message_stop' },
      );
      end();
      await expect(conversation(page).getByText('Hello.')).toBeVisible();
      await expect(conversation(page).getByText('100 input tokens (90 cached) · 7 output tokens')).toBeVisible();
      expect(await listLanguages(page)).toEqual(['curl', 'Anthropic Python', 'Anthropic JavaScript']);
    }),
  );

  it(
    'should explain an error in the format of Anthropic',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'claude');
      upstream.respond = (response) =>
        response
          .writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
          .end('{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}');
      await sendMessage(page, 'Hi');
      await expect(conversation(page).getByRole('alert').getByText('Slow down.')).toBeVisible();
      await expect(conversation(page).getByText('Try again in about 7 seconds.')).toBeVisible();
    }),
  );
});

describe("A chat with a model that speaks OpenAI's responses", () => {
  it(
    'should send the system prompt as instructions, and show the text and its tokens',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt');
      await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
      const next = nextStream(upstream);
      await sendMessage(page, 'Hi');
      const { body, send, end } = await next;
      expect(body).toMatchObject({ instructions: 'Be brief.', input: [{ role: 'user', content: 'Hi' }], stream: true });
      const usage = {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 4 },
      };
      const response = { id: 'r1', model: 'remote-small' };
      send(
        { type: 'response.created', response },
        { type: 'response.output_text.delta', delta: 'Hel' },
        { type: 'response.output_text.delta', delta: 'lo.' },
        {
          type: 'response.incomplete',
          response: { ...response, usage, incomplete_details: { reason: 'max_output_tokens' } },
        },
      );
      end();
      await expect(conversation(page).getByText('Hello.', { exact: true })).toBeVisible();
      await expect(conversation(page).getByText('Cut off at the output limit.')).toBeVisible();
      await expect(conversation(page).getByText('12 input tokens · 9 output tokens (4 reasoning)')).toBeVisible();
    }),
  );
});

describe('A chat with a model that only completes text', () => {
  it(
    'should send each prompt alone, without a system prompt',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'base');
      expect(await page.getByRole('textbox', { name: 'System prompt' }).count()).toBe(0);
      const prompt = page.getByRole('textbox', { name: 'Prompt' });
      for (const text of ['Once upon', 'At sea']) {
        const next = nextStream(upstream);
        await prompt.fill(text);
        await prompt.press('Enter');
        const { body, send, end } = await next;
        expect(body).toMatchObject({ prompt: text, max_tokens: 1024 });
        send(
          { id: 'c', model: 'remote-small', choices: [{ index: 0, text: ` ${text}!`, finish_reason: 'stop' }] },
          '[DONE]',
        );
        end();
        await expect(conversation(page).getByText(`${text}!`)).toBeVisible();
      }
    }),
  );
});

describe('The code samples of a chat', () => {
  it(
    "should be for the clients that fit the model's routes, and run",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { key } = await openChat(dashboard, visitor, 'both');
      expect(await listLanguages(page)).toEqual([
        'curl',
        'OpenAI Python',
        'OpenAI JavaScript',
        'Anthropic Python',
        'Anthropic JavaScript',
      ]);
      await messageField(page).fill('Say "hi".');
      await page.getByRole('tab', { name: 'OpenAI JavaScript' }).click();
      const code = await page.getByRole('group', { name: 'OpenAI JavaScript example' }).innerText();
      const next = nextStream(upstream);
      const running = runProgram(code, key);
      const { body, send, end } = await next;
      expect(body['messages']).toEqual([{ role: 'user', content: 'Say "hi".' }]);
      send(chunk('hi', 'stop'), ...chatEnd);
      end();
      expect(await running).toBe('hi');
    }),
  );
});

/** Runs a program that imports packages of this repository, and returns what it prints. */
async function runProgram(code: string, key: string): Promise<string> {
  const folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'program.mjs');
  await writeFile(file, code.replace('from "openai"', `from ${JSON.stringify(import.meta.resolve('openai'))}`));
  const env = { ...process.env, KEYCARD_API_KEY: key };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
  await folder.remove();
  return stdout;
}

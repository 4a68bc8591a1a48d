import { setLimits } from '../factories/limits.js';
import { respondWithJson, startUpstream, type Upstream } from '../setup/upstream.js';
import { findAccessibilityViolations } from './setup/axe.js';
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
import { measureOverflow, phone } from './setup/narrow-window.js';

const dashboard = new Dashboard();
let upstream: Upstream;
const prices = { input: '0.25', cachedInput: '0.025', output: '2' };

beforeAll(async () => {
  upstream = await startUpstream();
  const models = [
    chatModel(upstream, { id: 'gpt-mini', fallbacks: ['backup'], price: { perMillionTokens: prices } }),
    chatModel(upstream, { id: 'backup' }),
  ];
  await dashboard.start({ config: { models } });
});
afterAll(async () => {
  await dashboard.stop();
  await upstream.stop();
});

describe('The chat', () => {
  it(
    'should show text as it arrives, then tokens, times and cost, and send the whole conversation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      const first = nextStream(upstream);
      await sendMessage(page, 'Who lit the lamp?');
      const stream = await first;
      stream.send(chunk('The keeper'));
      await expect(conversation(page).getByText('The keeper', { exact: true })).toBeVisible();
      expect(await conversation(page).locator('[aria-busy=true]').count()).toBe(1);
      stream.send(chunk(' lit it.', 'stop'), ...chatEnd);
      stream.end();
      await expect(conversation(page).getByText('The keeper lit it.', { exact: true })).toBeVisible();
      const figures = conversation(page).getByText('1,200 input tokens (1,000 cached)');
      await expect(figures).toBeVisible();
      expect(await figures.innerText()).toMatch(
        /^1,200 input tokens \(1,000 cached\) · 30 output tokens \(10 reasoning\) · \d[\d.,]* m?s to first token( · [\d,]+ tokens\/s)? · US\$0\.000135$/,
      );
      expect(await conversation(page).locator('[aria-busy=true]').count()).toBe(0);
      await expect(messageField(page)).toBeFocused();

      const second = nextStream(upstream);
      await sendMessage(page, 'And then?');
      const { body, send, end } = await second;
      expect(body['messages']).toEqual([
        { role: 'user', content: 'Who lit the lamp?' },
        { role: 'assistant', content: 'The keeper lit it.' },
        { role: 'user', content: 'And then?' },
      ]);
      send(chunk('Night fell.', 'stop'), ...chatEnd);
      end();
      await expect(conversation(page).getByText('Night fell.')).toBeVisible();
      await page.getByRole('button', { name: 'New chat' }).click();
      await expect(conversation(page).getByText('Send a message.')).toBeVisible();
      await expect(messageField(page)).toBeFocused();
    }),
  );

  it(
    'should send the system prompt and only the parameters that are set, as its code samples do',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief.');
      await page.getByRole('textbox', { name: 'Temperature' }).fill('0.2');
      await page.getByRole('textbox', { name: 'Max tokens' }).fill('500');
      await messageField(page).pressSequentially('One');
      await messageField(page).press('Shift+Enter');
      await messageField(page).pressSequentially('two');
      const sample = page.getByRole('group', { name: 'curl example' });
      await expect(sample.getByText('"content": "One\\ntwo"')).toBeVisible();
      const expected = {
        model: 'gpt-mini',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'One\ntwo' },
        ],
        temperature: 0.2,
        max_completion_tokens: 500,
        stream: true,
      };
      const [, json = ''] = /-d '(\{.*\})'$/s.exec(await sample.innerText()) ?? [];
      expect(JSON.parse(json)).toEqual(expected);
      const next = nextStream(upstream);
      await page.getByRole('button', { name: 'Send' }).click();
      const { body, send, end } = await next;
      expect(body).toEqual({ ...expected, model: 'remote-small', stream_options: { include_usage: true } });
      send(chunk('Three', 'stop'), ...chatEnd);
      end();
      await expect(conversation(page).getByText('Three')).toBeVisible();
      await expect(messageField(page)).toBeFocused();
    }),
  );

  it(
    'should stop the upstream, keep the text so far and the focus in the field',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      const next = nextStream(upstream);
      await sendMessage(page, 'Tell me a long story');
      const stream = await next;
      stream.send(chunk('Once upon'));
      await expect(conversation(page).getByText('Once upon')).toBeVisible();
      await page.getByRole('button', { name: 'Stop' }).click();
      await stream.aborted;
      await expect(conversation(page).getByText('Stopped.')).toBeVisible();
      await expect(conversation(page).getByText('Once upon')).toBeVisible();
      await expect(messageField(page)).toBeFocused();
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    }),
  );

  it(
    'should stop the upstream when the user leaves the page, and keep the conversation',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      const next = nextStream(upstream);
      await sendMessage(page, 'Tell me a long story');
      const stream = await next;
      stream.send(chunk('Once upon'));
      await expect(conversation(page).getByText('Once upon')).toBeVisible();
      await page.getByRole('link', { name: 'Models' }).click();
      await stream.aborted;
      await page.getByRole('link', { name: 'Playground' }).click();
      await expect(conversation(page).getByText('Once upon')).toBeVisible();
      await expect(conversation(page).getByText('Stopped.')).toBeVisible();
    }),
  );

  it(
    'should show an error of the stream below the text so far, and send the message again on request',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      const failing = nextStream(upstream);
      await sendMessage(page, 'Who lit the lamp?');
      const stream = await failing;
      stream.send(chunk('The kee'), { error: { message: 'The server is overloaded.', type: 'server_error' } });
      stream.end();
      await expect(conversation(page).getByRole('alert').getByText('The server is overloaded.')).toBeVisible();
      await expect(conversation(page).getByText('The kee', { exact: true })).toBeVisible();
      const next = nextStream(upstream);
      await conversation(page).getByRole('button', { name: 'Try again' }).click();
      const { body, send, end } = await next;
      expect(body['messages']).toEqual([{ role: 'user', content: 'Who lit the lamp?' }]);
      send(chunk('The keeper.', 'stop'), ...chatEnd);
      end();
      await expect(conversation(page).getByText('The keeper.')).toBeVisible();
      await expect(messageField(page)).toBeFocused();
      expect(await conversation(page).getByRole('alert').count()).toBe(0);
    }),
  );

  it(
    'should report a stream that breaks off, and a response that was cut off',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      const broken = nextStream(upstream);
      await sendMessage(page, 'One');
      const stream = await broken;
      stream.send(chunk('Uno'));
      await expect(conversation(page).getByText('Uno')).toBeVisible();
      stream.end();
      await expect(conversation(page).getByRole('alert')).toBeVisible();
      const cut = nextStream(upstream);
      await sendMessage(page, 'Two');
      const { send, end } = await cut;
      send(chunk('Dos', 'length'), ...chatEnd);
      end();
      await expect(conversation(page).getByText('Cut off at the output limit.')).toBeVisible();
    }),
  );

  it(
    'should name the fallback that served a request',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      let isFirst = true;
      upstream.respond = (response) => {
        if (isFirst) respondWithJson(response, 500, '{"error":{"message":"No."}}');
        else {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end(`data: ${JSON.stringify(chunk('Hello', 'stop'))}\n\ndata: [DONE]\n\n`);
        }
        isFirst = false;
      };
      await sendMessage(page, 'Hi');
      await expect(conversation(page).getByText('backup, a fallback of gpt-mini')).toBeVisible();
    }),
  );

  it(
    'should explain an exceeded limit where the response would be',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const { id } = await openChat(dashboard, visitor, 'gpt-mini');
      await setLimits(dashboard.service, { keyId: id }, [{ metric: 'tokens', per: 'day', max: 10 }]);
      await sendMessage(page, 'Hi');
      await expect(conversation(page).getByRole('alert').getByText('Request exceeds a limit')).toBeVisible();
    }),
  );

  it(
    'should have no accessibility violations, and fit the window of a phone',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openChat(dashboard, visitor, 'gpt-mini');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      const next = nextStream(upstream);
      await sendMessage(page, 'Repeat: ' + 'long'.repeat(60));
      const { send, end } = await next;
      send(chunk('long'.repeat(60)), chunk('\n'.repeat(60), 'stop'), ...chatEnd);
      end();
      await expect(conversation(page).getByText('1,200 input tokens')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      expect(await measureOverflow(page)).toBe(0);
    }, phone),
  );
});

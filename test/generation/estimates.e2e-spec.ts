import { createApiKey } from '../factories/api-keys.js';
import { useGenerationGateway } from '../setup/generation-gateway.js';
import { generationBody, sendGeneration } from '../setup/generation-request.js';
import type { Dialect } from '../setup/generation-upstream/request.js';
import { type Script, scripted } from '../setup/generation-upstream/script.js';
import { waitFor } from '../setup/wait-for.js';
import { isSafeEstimate, noUsage, readRecords, sumBills, type UsageRecord } from './billing/records.js';

const gateway = useGenerationGateway();

interface Case {
  title: string;
  dialect: Dialect;
  script: Script;
  fields?: object;
  /** Whether the client leaves as soon as the upstream has the request. */
  isLeft?: boolean;
}

const longArguments = JSON.stringify({ note: 'A "quoted" text.\n'.repeat(100) });
const forecastTool = { name: 'note', input_schema: { type: 'object' } };

const cases: Case[] = [
  {
    title: 'a chat whose upstream reports no usage',
    dialect: 'chat/completions',
    script: { tokens: 500, usage: 'never' },
    fields: { n: 3 },
  },
  {
    title: 'a streamed chat whose upstream reports no usage',
    dialect: 'chat/completions',
    script: { tokens: 500, usage: 'never', reasoning: 200 },
    fields: { n: 3, stream: true },
  },
  {
    title: 'completions of which the upstream returns the best, without usage',
    dialect: 'completions',
    script: { tokens: 400, usage: 'never' },
    fields: { best_of: 20 },
  },
  {
    title: 'a message whose upstream reports no input',
    dialect: 'messages',
    script: { brokenEvent: { at: 0, data: '{"type":"message_start"}' }, reportsOutputOnly: true },
    fields: { stream: true },
  },
  {
    title: 'a message with a tool call that breaks off',
    dialect: 'messages',
    script: { toolArguments: longArguments, stop: { at: 40_000, by: 'cut' } },
    fields: { stream: true, tools: [forecastTool] },
  },
  {
    title: 'a message that breaks off after it reported usage in between',
    dialect: 'messages',
    script: { tokens: 600, reportsInterim: true, stop: { at: 60_000, by: 'cut' } },
    fields: { stream: true },
  },
  {
    title: 'a response that the client leaves before it begins',
    dialect: 'responses',
    script: { tokens: 100, delayMilliseconds: 20 },
    isLeft: true,
  },
];

async function recordOf({ dialect, script, fields, isLeft }: Case): Promise<{ id: string; record: UsageRecord }> {
  const { id, key } = await createApiKey(gateway, gateway.member);
  const body = generationBody(dialect, 'mini', scripted({ ...script, label: id }), fields);
  const controller = new AbortController();
  const { signal } = controller;
  const sent = sendGeneration({ url: gateway.url, dialect, key, body, signal });
  if (isLeft) {
    await waitFor(() => gateway.upstream.bills.some(({ label }) => label === id));
    controller.abort();
  }
  await sent;
  let record = noUsage;
  await waitFor(async () => {
    record = (await readRecords(gateway.database)).get(id) ?? noUsage;
    return record.requests > 0;
  });
  return { id, record };
}

describe('The estimate', () => {
  it.each(cases)('should cover the bill of $title', async (one) => {
    const { id, record } = await recordOf(one);
    await waitFor(() => gateway.upstream.countOpen() === 0);
    const billed = sumBills(gateway.upstream.bills.filter(({ label }) => label === id));
    expect({ billed, record, isSafe: isSafeEstimate(record, billed) }).toEqual({ billed, record, isSafe: true });
  });
});

import { cpus } from 'node:os';
import { budgetSize, type BudgetFigures } from './measure.js';

/** What others document about limits on the cost or tokens of generated text, in November 2026. */
const peers = `
| Gateway              | Before the request                                     | After it                | What may be exceeded, or refused wrongly                                                                    |
| -------------------- | ------------------------------------------------------ | ----------------------- | ----------------------------------------------------------------------------------------------------------- |
| Keycard              | reserves the most it can use, or lowers its output     | charges what was used   | nothing, on any number of replicas                                                                          |
| LiteLLM              | reserves up to 16,384 tokens of output; less if that's more than what is left | corrects the counters   | both: reservations shrink to what is left, and untouched budgets are refused (litellm#38647, litellm#27509) |
| Bifrost              | something must be left                                 | deducts                 | exceeded by what is running; its documentation ends at 11 of 10 USD                                         |
| Envoy AI Gateway     | something must be left                                 | adds at the stream's end | exceeded by what is running (ai-gateway#680)                                                                |
| Kong, Higress, APISIX | something must be left                                | adds from the response  | exceeded by what is running (higress#2464: 100 parallel requests all admitted)                              |
| Azure API Management | estimates the prompt, if configured                    | adds from the response  | "could allow token limits to be exceeded temporarily"                                                       |
| TensorZero           | reserves bytes / 2 and \`max_tokens\`, which is required | returns the difference  | exceeded if an estimate was too low; requests without \`max_tokens\` are refused                              |
| OpenRouter           | credit must be left                                    | deducts                 | not documented                                                                                              |
`.trim();

/** Formats `bench/budgets.md`. */
export function formatBudgetsReport(figures: BudgetFigures): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const rows: [string, number][] = [
    ['Requests sent', figures.requests],
    ...Array.from(figures.responses, ([name, times]): [string, number] => [`… ${name}`, times]),
    ['Requests that an upstream has billed', figures.bills],
    ['… before they were finished: canceled, cut or silent', figures.unfinishedBills],
    ['Budgets', figures.budgets],
    ['… of which at least 90% were charged', figures.spentBudgets],
    ['Responses that call a budget exhausted or too small', figures.exhausted],
    ['**Budgets exceeded by the bill or by charges**', figures.exceededBudgets],
    ['**Budgets charged less than the bill**', figures.underchargedBudgets],
    ['**Budgets called exhausted while what is charged leaves room**', figures.wronglyExhausted],
    ['**Limits that still hold something afterwards**', figures.holding],
  ];
  const [processor] = cpus();
  return [
    '# Budgets against bills',
    '',
    'Written by `npm run bench -- budgets`. Three replicas share one PostgreSQL. Keys of two organizations, with nested limits on',
    'cost, tokens, requests and running requests, send requests in all dialects to upstreams that bill what they generate.',
    'Clients leave at any byte, upstreams fail or fall silent so that fallbacks take over, usage is missing, a replica is killed',
    'with `kill -9` and replaced, and limits are raised, removed and added again, all at once. Afterwards, the bill of each',
    'upstream, at its prices, is compared with each budget.',
    '',
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Node ${process.version}, ${cpus().length} × ${processor?.model.trim()}`,
    `- ${count(budgetSize.atOnce)} requests at a time, ${count(2 * budgetSize.keysPerOrganization)} keys`,
    '',
    '| What | Count |',
    '| --- | ---: |',
    ...rows.map(([what, value]) => `| ${what} | ${count(value)} |`),
    '',
    'A shorter run is part of the tests: [`budget-chaos`](../test/limits/budget-chaos.e2e-spec.ts). What limits cost per request is',
    'in [the benchmarks](results.md).',
    '',
    '## What others do',
    '',
    'As their documentation and issues say; nothing of it was measured here.',
    '',
    peers,
    '',
  ].join('\n');
}

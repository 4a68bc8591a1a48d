import { decimalPattern } from '../../common/money/decimal.js';
import {
  budgetPeriods,
  maxLimit,
  maxLimitModels,
  maxNotices,
  metrics,
  periods,
} from '../../common/rules/limit-rules.js';
import { maxModelIdLength } from '../../common/rules/text-rules.js';
import { costPattern } from './limit-amounts.js';

/** OpenAPI text of an amount in a request. */
export const amountProperty = (description: string, example: number | string) => ({
  oneOf: [
    { type: 'integer', minimum: 1, maximum: maxLimit },
    { type: 'string', pattern: costPattern, description: 'Only for `cost`.' },
  ],
  description: `${description} A decimal string in the currency of the models file for \`cost\`, otherwise an integer.`,
  example,
});

/** OpenAPI text of an amount in a state. */
export const usedProperty = (description: string, example: number | string) => ({
  oneOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: decimalPattern, description: 'Only of `cost`.' },
  ],
  description,
  example,
});

const budgets = budgetPeriods.map((period) => `\`${period}\``).join(', ');

/** OpenAPI texts of the fields of a limit, for requests and responses. */
export const limitProperties = {
  metric: {
    description:
      'What is limited: requests, tokens, document pages, the cost of requests, or how many requests run at the same time.',
    enum: metrics,
    example: 'requests',
  },
  per: {
    description: `Period; omitted for \`concurrency\`. With \`second\`, \`minute\` and \`hour\`, the limit refills continuously; with ${budgets}, it is a budget for each calendar day, week (from Monday) or month in the organization's time zone. \`second\` is only for requests. Costs are limited per ${budgets}.`,
    enum: periods,
    example: 'minute',
  },
  max: amountProperty('Maximum in one period, or number of running requests.', 600),
  models: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: maxModelIdLength },
    minItems: 1,
    maxItems: maxLimitModels,
    description: 'Ids of models, without aliases. The limit counts only requests to these. Omitted for all models.',
    example: ['gpt-mini'],
  },
  increase: { description: 'Raises `max` until a time. It stays, without effect, until it is removed.' },
  notifyAt: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 100 },
    maxItems: maxNotices,
    description: `Percentages of the maximum. When the charged amount reaches one, the audit log gets an event \`limit.threshold\`, once in each period. Only for ${budgets}.`,
    example: [50, 80, 100],
  },
} as const;

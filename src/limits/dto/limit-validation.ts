import { ValidateBy } from 'class-validator';
import {
  budgetPeriods,
  isBudget,
  maxLimitModels,
  maxLimits,
  maxNotices,
  metrics,
  type Period,
  periods,
  periodsOf,
} from '../../common/rules/limit-rules.js';
import { isModelName, maxModelIdLength } from '../../common/rules/text-rules.js';
import { compareLimits } from '../limit.js';
import { amountRuleOf } from './limit-amounts.js';
import { LimitIncreaseDto } from './limit-increase.dto.js';
import type { LimitDto } from './limit.dto.js';

/** What identifies a limit in a list. */
type LimitTarget = Pick<LimitDto, 'metric' | 'per' | 'models'>;
/** The class of the items of a list, which class-transformer creates. */
type ItemClass = abstract new () => LimitTarget;

export function IsPeriodOfMetric(): PropertyDecorator {
  return ValidateBy({
    name: 'isPeriodOfMetric',
    validator: {
      validate: (value: unknown, details) => isPeriodOf(details?.object as LimitTarget, value),
      defaultMessage: (details) => {
        const limit = details?.object as LimitTarget;
        const allowed = allowedPeriods(limit);
        if (allowed.length === 0) return `${details?.property} must be omitted for ${limit.metric}`;
        const suffix = allowed === periods ? '' : ` for ${limit.metric}`;
        return `${details?.property} must be one of ${allowed.join(', ')}${suffix}`;
      },
    },
  });
}

function isPeriodOf(limit: LimitTarget, value: unknown): boolean {
  const allowed = allowedPeriods(limit);
  return allowed.length === 0 ? value === undefined : allowed.some((period) => period === value);
}

/** All periods for an invalid metric, which is an error of its own. */
function allowedPeriods({ metric }: LimitTarget): readonly Period[] {
  return metrics.includes(metric) ? periodsOf(metric) : periods;
}

export function IsAmountOfMetric(): PropertyDecorator {
  return ValidateBy({
    name: 'isAmountOfMetric',
    validator: {
      validate: (value: unknown, details) => amountRuleOf((details?.object as LimitDto).metric).isAllowed(value),
      defaultMessage: (details) =>
        `${details?.property} must be ${amountRuleOf((details?.object as LimitDto).metric).allowed}`,
    },
  });
}

export function IsListOfModels(): PropertyDecorator {
  return ValidateBy({
    name: 'isListOfModels',
    validator: {
      validate: (value: unknown) => isListOf(value, 1, maxLimitModels, isModelName),
      defaultMessage: (details) =>
        `${details?.property} must be null or a list of 1 to ${maxLimitModels} model ids of 1 to ${maxModelIdLength} characters, each once`,
    },
  });
}

export function IsListOfPercentages(): PropertyDecorator {
  const isPercentage = (item: unknown) => Number.isInteger(item) && Number(item) >= 1 && Number(item) <= 100;
  return ValidateBy({
    name: 'isListOfPercentages',
    validator: {
      validate: (value: unknown, details) =>
        isListOf(value, 0, maxNotices, isPercentage) && (isBudget(details?.object as LimitDto) || isEmpty(value)),
      defaultMessage: (details) => {
        const { per } = details?.object as LimitDto;
        return isListOf(details?.value, 0, maxNotices, isPercentage)
          ? `${details?.property} must be omitted ${per === undefined ? 'without a period' : `per ${per}`}: it's only for ${budgetPeriods.join(', ')}`
          : `${details?.property} must be null or a list of at most ${maxNotices} integers between 1 and 100, each once`;
      },
    },
  });
}

function isListOf(value: unknown, min: number, max: number, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value) || value.length < min || value.length > max) return false;
  return new Set(value).size === value.length && value.every(isItem);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function IsIncrease(): PropertyDecorator {
  return ValidateBy({
    name: 'isIncrease',
    validator: {
      validate: (value: unknown) => value instanceof LimitIncreaseDto,
      defaultMessage: (details) => `${details?.property} must be null or an object with by and until`,
    },
  });
}

/**
 * @param type of the items
 * @param fields the required ones, for errors
 */
export function IsListOfLimits(type: ItemClass, fields: string): PropertyDecorator {
  const isList = (value: unknown) => Array.isArray(value) && value.every((item) => item instanceof type);
  return ValidateBy({
    name: 'isListOfLimits',
    validator: {
      validate: (value: unknown) => isList(value) && (value as unknown[]).length <= maxLimits,
      defaultMessage: (details) =>
        isList(details?.value)
          ? `${details?.property} must have at most ${maxLimits} limits`
          : `${details?.property} must be a list of objects with ${fields}`,
    },
  });
}

/** @param type of the items */
export function HasNoRepeatedLimit(type: ItemClass): PropertyDecorator {
  return ValidateBy({
    name: 'hasNoRepeatedLimit',
    validator: {
      validate: (value: unknown) => findRepeatedLimit(value, type) === undefined,
      defaultMessage: (details) => {
        const repeated = findRepeatedLimit(details?.value, type);
        const period = repeated?.per === undefined ? '' : ` per ${repeated.per}`;
        const models = repeated?.models == null ? '' : ` for the same models`;
        return `${details?.property} must have at most one limit of ${repeated?.metric}${period}${models}`;
      },
    },
  });
}

/** The first valid limit with the metric, period and models of an earlier one. */
function findRepeatedLimit(value: unknown, type: ItemClass): LimitTarget | undefined {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, maxLimits) : [];
  const limits = items
    .filter((item): item is LimitTarget => item instanceof type)
    .filter((limit) => metrics.includes(limit.metric) && isPeriodOf(limit, limit.per))
    .filter(({ models }) => models == null || isListOf(models, 1, maxLimitModels, isModelName));
  const identities = limits.map(({ metric, per, models }) => ({ metric, per, models: models?.toSorted() }));
  const index = identities.findIndex((one, place) =>
    identities.slice(0, place).some((other) => compareLimits(one, other) === 0),
  );
  return limits[index];
}

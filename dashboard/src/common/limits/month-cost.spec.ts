import type { LimitState } from '../../api/schema.js';
import {
  describeExcess,
  describeRejection,
  describeUsedUp,
  explainDifference,
  formatBudget,
  monthlyBudget,
  nameMonth,
} from './month-cost.js';

const november = { start: Date.parse('2026-10-31T23:00:00Z'), end: Date.parse('2026-11-30T23:00:00Z') };
const budget: LimitState = {
  metric: 'cost',
  per: 'month',
  max: '25',
  used: '12.5',
  reserved: '0',
  estimated: '0',
  remaining: '12.5',
  resetsAt: '2026-11-30T23:00:00.000Z',
  isIncreased: false,
};

describe('monthlyBudget', () => {
  it('should be the limit on costs per month for all models', () => {
    const others: LimitState[] = [
      { ...budget, metric: 'tokens', max: 3 },
      { ...budget, per: 'week' },
      { ...budget, models: ['small'] },
    ];
    expect(monthlyBudget([...others, budget])).toBe(budget);
    expect(monthlyBudget(others)).toBeUndefined();
  });
});

describe('describeExcess', () => {
  const excessOf = (forecasted: string, of = budget) => describeExcess(forecasted, of, november, 'EUR');

  it('should compare the forecast with the budget', () => {
    expect(excessOf('25')).toBeUndefined();
    expect(excessOf('25.000000001')).toBe('over the budget of €25.00');
  });

  it('should compare the forecast with an increase only if it lasts until the end of the month', () => {
    const increasedUntil = (until: string): LimitState => ({
      ...budget,
      isIncreased: true,
      increase: { by: '25', until },
    });
    expect(excessOf('40', increasedUntil('2026-11-30T23:00:00Z'))).toBeUndefined();
    expect(excessOf('40', increasedUntil('2026-11-30T22:59:59Z'))).toBe(
      'over the budget of €25.00 after the increase ends',
    );
    expect(excessOf('51', increasedUntil('2026-11-30T23:00:00Z'))).toBe('over the budget of €50.00');
  });
});

describe('describeUsedUp', () => {
  it('should compare the cost so far with the budget and an increase that applies', () => {
    const increase = { by: '5', until: '2026-11-20T00:00:00Z' };
    expect(describeUsedUp('25', budget, 'EUR')).toBeUndefined();
    expect(describeUsedUp('25.000000001', budget, 'EUR')).toBe('Over the budget of €25.00');
    expect(describeUsedUp('30', { ...budget, isIncreased: true, increase }, 'EUR')).toBeUndefined();
    expect(describeUsedUp(null, budget, 'EUR')).toBeUndefined();
  });

  it('should include a budget that is used up exactly', () => {
    const full = { ...budget, used: '25', remaining: '0' };
    expect(describeUsedUp('25', full, 'EUR')).toBe('Budget of €25.00 used up');
  });
});

describe('explainDifference', () => {
  it('should say why the budget counts another amount than the month has cost', () => {
    expect(explainDifference('3', budget, 'EUR')).toBe(
      'The budget counts €12.50: its month may have begun before a change of the time zone.',
    );
    expect(explainDifference(null, budget, 'EUR')).toMatch(/^The budget counts €12\.50/);
  });

  it('should leave out what running requests reserve, and what was used in between', () => {
    expect(explainDifference('10', { ...budget, reserved: '2.5' }, 'EUR')).toBeUndefined();
    expect(explainDifference('12.505', budget, 'EUR')).toBeUndefined();
    expect(explainDifference('12.511', budget, 'EUR')).toBeUndefined();
    expect(explainDifference('12.52', budget, 'EUR')).toBeDefined();
    expect(explainDifference('12.52', budget, 'EUR', 0.01)).toBeUndefined();
  });
});

describe('describeRejection', () => {
  it("should have the day in the organization's time zone on which requests are accepted again", () => {
    const full = { ...budget, used: '25', remaining: '0' };
    expect(describeRejection(full, 'Europe/Berlin')).toBe('Requests are rejected until 1\u00a0December');
    expect(describeRejection(budget, 'Europe/Berlin')).toBeUndefined();
  });
});

describe('formatBudget', () => {
  it('should include an increase that applies', () => {
    const increased = { ...budget, increase: { by: '5.5', until: '2026-11-20T00:00:00Z' } };
    expect(formatBudget(increased, 'EUR')).toBe('€25.00');
    expect(formatBudget({ ...increased, isIncreased: true }, 'EUR')).toBe('€30.50');
  });
});

describe('nameMonth', () => {
  it("should be the month in the organization's time zone", () => {
    expect(nameMonth(november, 'Europe/Berlin')).toBe('November');
  });
});

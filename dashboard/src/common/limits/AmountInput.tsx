import { NumberInput, type NumberInputProps, TextInput } from '@mantine/core';
import { maxConcurrency, maxCostLimit, maxLimit, type Metric } from '@rules/limit-rules.js';
import { costDecimals } from '@rules/price-rules.js';
import { digitGroupSeparator, formatCount } from '../../lib/format-numbers.js';
import { readAmount, readGroupedNumber, toAmountField } from '../../lib/money.js';
import { stripCurrency } from '../../lib/strip-currency.js';

interface AmountInputProps extends Pick<
  NumberInputProps,
  'label' | 'aria-label' | 'aria-describedby' | 'className' | 'error' | 'autoFocus' | 'w' | 'flex'
> {
  metric: Metric;
  currency: string | undefined;
  value: number | string;
  onChange: (value: number | string) => void;
}

/** Of a Keycard without priced models. */
const defaultCurrency = 'USD';

/**
 * Has room for all groups and decimals, and the name of the currency, so that a number that is too large shows an error
 * instead of being cut off.
 */
const maxCostLength = `${formatCount(maxCostLimit * 10)}.`.length + costDecimals + 1 + 'USD '.length;

/** A whole number or, for costs, an exact amount of money, which is kept as a text: numbers would round it. */
export function AmountInput({ metric, currency, value, onChange, ...props }: AmountInputProps) {
  if (metric === 'cost') {
    return (
      <TextInput
        inputMode="decimal"
        maxLength={maxCostLength}
        autoComplete="off"
        value={String(value)}
        onChange={({ currentTarget }) => onChange(stripCurrency(currentTarget.value, currency ?? defaultCurrency))}
        onBlur={() => {
          // Shows how the separators were read.
          const amount = readAmount(String(value));
          if (amount !== undefined) onChange(toAmountField(amount, currency));
        }}
        {...props}
      />
    );
  }
  const max = metric === 'concurrency' ? maxConcurrency : maxLimit;
  return (
    <NumberInput
      value={value}
      onChange={onChange}
      onPaste={(event) => {
        // The field itself would read the separator of another country as a decimal point.
        const pasted = readGroupedNumber(event.clipboardData.getData('text'));
        if (pasted === undefined) return;
        event.preventDefault();
        onChange(pasted);
      }}
      thousandSeparator={digitGroupSeparator()}
      decimalSeparator={digitGroupSeparator() === '.' ? ',' : '.'}
      min={1}
      max={max}
      clampBehavior="none"
      allowNegative={false}
      hideControls
      maxLength={formatCount(maxLimit).length}
      autoComplete="off"
      {...props}
    />
  );
}

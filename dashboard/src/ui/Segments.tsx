import { useId } from 'react';
import classes from './Segments.module.css';

interface SegmentsProps<Value extends string> {
  'aria-label': string;
  'aria-describedby'?: string | undefined;
  /** In pixels of their text: `xs` 12, `sm` 14. */
  size?: 'xs' | 'sm';
  value: Value;
  data: readonly { value: Value; label: string; isDisabled?: boolean }[];
  onChange: (value: Value) => void;
}

/**
 * A choice between a few options that are all visible. Mantine's `SegmentedControl` measures the layout to highlight the selected
 * option, which takes a slow phone a quarter of a second when a page opens.
 */
export function Segments<Value extends string>({ size = 'sm', value, data, onChange, ...label }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" className={classes.segments} data-size={size} {...label}>
      {data.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.isDisabled}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

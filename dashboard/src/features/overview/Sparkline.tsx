import classes from './Sparkline.module.css';

const width = 200;
const height = 36;
/** So that even the smallest value can be seen. */
const leastHeight = 2;
/** Of each bar's place. */
const barShare = 0.7;

interface SparklineProps {
  /** Says what is drawn, for screen readers. */
  label: string;
  values: readonly number[];
  /** How many values the whole period has; those that have not come yet are empty places. */
  count: number;
  /** Draws values in red, such as failures. */
  isWarning?: boolean;
}

/** A bar per hour or day. */
export function Sparkline({ label, values, count, isWarning = false }: SparklineProps) {
  const highest = Math.max(...values, 0);
  const place = width / Math.max(count, values.length);
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      {Array.from({ length: Math.max(count, values.length) }, (_, index) => {
        const value = values[index] ?? 0;
        const barHeight = value > 0 ? Math.max(leastHeight, (value / highest) * height) : 1;
        return (
          <rect
            key={index}
            className={value === 0 ? classes.empty : isWarning ? classes.warning : classes.bar}
            x={index * place}
            y={height - barHeight}
            width={place * barShare}
            height={barHeight}
          />
        );
      })}
    </svg>
  );
}

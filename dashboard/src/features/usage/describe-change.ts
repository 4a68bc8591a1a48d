const maxPercent = 1000;

/** Compares a value with the value of the previous period, such as "+12% vs. previous 7 days". */
export function describeChange(current: number, previous: number, length: string): string {
  if (previous === 0) return `None in the previous ${length}`;
  const percent = Math.round((current / previous - 1) * 100);
  if (percent === 0) return `About the same as in the previous ${length}`;
  if (percent >= maxPercent) return `${Math.round(current / previous)} times the previous ${length}`;
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)}% vs. previous ${length}`;
}

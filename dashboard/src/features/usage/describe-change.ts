const maxPercent = 1000;

/**
 * Compares a value with the value of the previous period, such as "+12% vs. the previous 7 days".
 *
 * @param period such as "the previous 7 days" or "October"
 */
export function describeChange(current: number, previous: number, period: string): string {
  if (previous === 0) return `None in ${period}`;
  const percent = Math.round((current / previous - 1) * 100);
  if (percent === 0) return `About the same as ${period}`;
  if (percent >= maxPercent) return `${Math.round(current / previous)} times ${period}`;
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)}% vs. ${period}`;
}

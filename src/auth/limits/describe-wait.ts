/** How long to wait, as people say it: such as "1 second", "89 seconds" and "15 minutes", and never less than it is. */
export function describeWait(seconds: number): string {
  return seconds < 90 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute');
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** How much of the free capacity an owner may hold: alone, it gets three quarters of all. */
const mostOfFree = 3;

interface Claim {
  limit: number;
  /** Held by all owners together. */
  used: number;
  /** Held by this owner. */
  held: number;
  /** Wanted by this owner in addition. */
  wanted: number;
}

/**
 * Whether an owner may hold more of a capacity that owners share. What each may hold shrinks with what is free
 * (dynamic thresholds, Choudhury and Hahne 1998): n busy owners get 3/(3n + 1) each, and there is always room left for
 * the next.
 */
export function fitsFairShare({ limit, used, held, wanted }: Claim): boolean {
  const free = limit - used;
  return wanted <= free && held + wanted <= mostOfFree * free;
}

/** Multiple of the free capacity that one holder may have. With 3, a single holder gets three quarters of the whole. */
const maxMultipleOfFree = 3;

interface Claim {
  limit: number;
  /** Used by all holders together. */
  used: number;
  /** Part of `used` that belongs to this holder. */
  held: number;
  /** Additional amount that this holder wants. */
  wanted: number;
}

/**
 * Whether a holder may take more of a shared capacity. Each holder's limit shrinks with the free capacity (dynamic
 * thresholds, Choudhury and Hahne 1998): n busy holders get 3/(3n + 1) each, and there is always room for another.
 */
export function fitsFairShare({ limit, used, held, wanted }: Claim): boolean {
  const free = limit - used;
  return wanted <= free && held + wanted <= maxMultipleOfFree * free;
}

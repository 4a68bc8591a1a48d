import { type Document, isScalar, visit } from 'yaml';

/** A decimal number, as `toDecimal` reads it. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** Has prices that are written as numbers read as text, because numbers in JavaScript are binary fractions. */
export function keepPricesExact(document: Document): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'price') return undefined;
      // The function of `visit` takes nodes only.
      const price = value as Document['contents'];
      visit(price, {
        Pair: (_key, pair) => (isScalar(pair.key) && pair.key.value === 'inputTokens' ? visit.SKIP : undefined),
        Scalar(_key, scalar) {
          if (typeof scalar.value !== 'number' || scalar.source === undefined) return;
          if (decimal.test(scalar.source)) scalar.value = scalar.source;
        },
      });
      return visit.SKIP;
    },
  });
}

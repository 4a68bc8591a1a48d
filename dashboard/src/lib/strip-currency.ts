/** Removes the code and symbols of the currency from an entered amount, such as "$45.50" or "45,50 USD". */
export function stripCurrency(text: string, currency: string): string {
  const names = namesOf(currency).map((name) => name.toUpperCase());
  const trimmed = text.trim();
  const folded = trimmed.toUpperCase();
  // The longest first: "US$" ends with "$".
  const name = names
    .sort((one, other) => other.length - one.length)
    .find((candidate) => folded.startsWith(candidate) || folded.endsWith(candidate));
  if (name === undefined || name.length === trimmed.length) return text;
  const rest = folded.startsWith(name) ? trimmed.slice(name.length) : trimmed.slice(0, -name.length);
  // "$45.50 USD" has both.
  return stripCurrency(rest.trim(), currency);
}

/** Such as "USD", "US$" and "$", in every region. */
function namesOf(currency: string): string[] {
  const symbols = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === 'currency'),
  );
  return [currency, ...symbols.flatMap((part) => part?.value ?? [])];
}

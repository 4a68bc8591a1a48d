/**
 * Returns a function that creates a value when it's first called. Formatters of `Intl` read the browser's language data,
 * which takes a slow phone 20 ms or more, and most pages need only few of them.
 */
export function lazily<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= create());
}

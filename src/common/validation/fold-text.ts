/**
 * Text in a form that ignores case and Unicode composition (NFKC, then lower case), for searching and sorting. Computed
 * here for stored columns, because SQL's lower() depends on the locale of the database.
 */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * SQL for the same form of columns that aren't stored folded. ICU's root collation makes it independent of the locale.
 *
 * @param expression SQL, not user input
 */
export function foldTextSql(expression: string): string {
  return `lower(normalize(cast(${expression} as text), NFKC) collate "und-x-icu")`;
}

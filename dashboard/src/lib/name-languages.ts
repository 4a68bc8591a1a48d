/** Names languages in alphabetical order, such as "English, German". Codes without a name are left unchanged. */
export function nameLanguages(codes: readonly string[]): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return codes
    .map((code) => nameOf(code, names))
    .sort((one, other) => one.localeCompare(other, 'en'))
    .join(', ');
}

/** Tesseract's codes such as `chi_sim` aren't all language tags. */
function nameOf(code: string, names: Intl.DisplayNames): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Puts a text on the clipboard. Browsers offer `navigator.clipboard` to HTTPS and localhost only. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // Inside of an open dialog, which would take the focus back from anywhere else.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

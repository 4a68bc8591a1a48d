/**
 * Puts a text on the clipboard. Browsers offer `navigator.clipboard` to HTTPS and localhost only.
 * @throws Error when the browser does not allow it
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside of an open dialog, which would take the focus back from anywhere else.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser does not allow copying.');
}

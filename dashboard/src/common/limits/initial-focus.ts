/** Props of an element that takes the focus when it appears, in a dialog that opens or already is open. */
export const initialFocus = (takesFocus: boolean) => ({
  autoFocus: takesFocus,
  'data-autofocus': takesFocus || undefined,
});

declare namespace jest {
  /** Implemented in locator-matchers.ts. */
  interface Matchers<R> {
    /** Waits until the element is visible. */
    toBeVisible(): Promise<R>;
    /** Waits until the element is hidden or removed. */
    toBeHidden(): Promise<R>;
    /** Waits until the element has the focus. */
    toBeFocused(): Promise<R>;
  }
}

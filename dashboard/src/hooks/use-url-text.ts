import { useState } from 'react';

interface UrlText {
  text: string;
  setText: (text: string) => void;
  /** Announces the value that the field is about to write to the URL. */
  expectUrlText: (value: string) => void;
}

/** The text of a field stored in the URL. It follows other changes of the URL, such as the back button. */
export function useUrlText(value: string): UrlText {
  const [text, setText] = useState(value);
  const [expected, setExpected] = useState(value);
  if (value !== expected) {
    setExpected(value);
    setText(value);
  }
  return { text, setText, expectUrlText: setExpected };
}

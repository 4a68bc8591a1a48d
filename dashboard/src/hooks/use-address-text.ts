import { useState } from 'react';

interface AddressText {
  text: string;
  setText: (text: string) => void;
  /** Notes what the address is about to say because of this field. */
  expectAddress: (value: string) => void;
}

/** The text of a field that the address keeps. When the address moves without it, as by the back button, it follows. */
export function useAddressText(value: string): AddressText {
  const [text, setText] = useState(value);
  const [expected, setExpected] = useState(value);
  if (value !== expected) {
    setExpected(value);
    setText(value);
  }
  return { text, setText, expectAddress: setExpected };
}

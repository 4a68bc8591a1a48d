import { type Box, boxAround, type TextLine, type TextWord } from '../layout/text.js';

/** One character of a text layer; empty when it has no meaning. */
export interface Character {
  readonly text: string;
  readonly box: Box;
}

/** PDFium's sign for a hyphen at the end of a line, which it gives instead of the hyphen and the line's end. */
const LINE_END_HYPHENS = ['\u0002', '\ufffe'];

/** Groups the characters of a text layer, which come in reading order with spaces and line ends among them. */
export function charactersToLines(characters: readonly Character[]): TextLine[] {
  const lines: TextWord[][] = [];
  let line: TextWord[] = [];
  let word: Character[] = [];
  const endWord = () => {
    if (word.length > 0) line.push(toWord(word));
    word = [];
  };
  const endLine = () => {
    endWord();
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (const character of characters) {
    const { text, box } = character;
    if (LINE_END_HYPHENS.includes(text)) {
      word.push({ text: '-', box });
      endLine();
    } else if (/^[\r\n]$/.test(text)) endLine();
    else if (/^\s$/.test(text)) endWord();
    else if (!/^\p{Cc}?$/u.test(text)) word.push(character);
  }
  endLine();
  return lines;
}

function toWord(characters: readonly Character[]): TextWord {
  const text = characters.map((character) => character.text).join('');
  return { text: text.normalize('NFC'), confidence: 1, box: boxAround(characters.map(({ box }) => box)) };
}

import { applyEdits } from './json-edit.js';

describe('applyEdits', () => {
  const text = '{"model":"theirs","stream":true}';
  const edits = [
    { start: 1, end: 1, json: '"user":"a",' },
    { start: 9, end: 17, json: '"ours"' },
    { start: 27, end: 31, json: 'false' },
  ];
  const edit = (from: number, some: typeof edits) =>
    Buffer.concat(applyEdits(Buffer.from(text).subarray(from), some, from)).toString();

  it('should replace and insert', () => {
    expect(edit(0, edits)).toBe('{"user":"a","model":"ours","stream":false}');
  });

  it('should edit a part by the positions in the text', () => {
    expect(edit(17, edits.slice(2))).toBe(',"stream":false}');
  });

  it('should copy nothing without edits', () => {
    const bytes = Buffer.from(text);
    expect(applyEdits(bytes, [])[0]?.buffer).toBe(bytes.buffer);
  });
});

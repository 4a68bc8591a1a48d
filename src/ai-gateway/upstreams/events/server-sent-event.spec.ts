import { readEvent } from './server-sent-event.js';

const read = (text: string) => {
  const { name, data, dataStart } = readEvent(Buffer.from(text));
  return { name, data: data.toString(), dataStart };
};

describe('readEvent', () => {
  it.each([
    ['data: {"a":1}\n\n', { name: undefined, data: '{"a":1}', dataStart: 6 }],
    ['data:[DONE]\r\n\r\n', { name: undefined, data: '[DONE]', dataStart: 5 }],
    ['event: ping\ndata: {}\n\n', { name: 'ping', data: '{}', dataStart: 18 }],
    ['data: {}\nevent: late\n\n', { name: 'late', data: '{}', dataStart: 6 }],
    [': comment\n\n', { name: undefined, data: '', dataStart: undefined }],
    ['data: [DONE]', { name: undefined, data: '[DONE]', dataStart: 6 }],
  ])('should find the fields of %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('should return JSON on several lines as JSON, at the same positions', () => {
    const text = 'data: {"a":\ndata: "b"}\n\n';
    const { data, dataStart } = read(text);
    expect(JSON.parse(data)).toEqual({ a: 'b' });
    expect((dataStart ?? 0) + data.indexOf('"b"')).toBe(text.indexOf('"b"'));
  });
});

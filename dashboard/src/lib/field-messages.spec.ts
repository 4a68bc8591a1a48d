import { messagesByField } from './field-messages.js';

describe('messagesByField', () => {
  it.each([
    ['url', 'url must begin with https://.', 'Must begin with https://.'],
    ['limits.1.max', 'limits.1.max must be at least 1.', 'Must be at least 1.'],
    ['name', 'A role with this name exists.', 'A role with this name exists.'],
    ['name', 'names must differ.', 'Names must differ.'],
  ])('should begin the message of %s like a sentence, without its name in the API', (field, message, shown) => {
    expect(messagesByField([{ field, message }]).get(field)).toBe(shown);
  });

  it('should show all errors of a field, each as a sentence', () => {
    const errors = [
      { field: 'url', message: 'url must begin with https://.' },
      { field: 'name', message: 'name must have 2 to 100 characters.' },
      { field: 'url', message: 'url must not have a fragment.' },
    ];
    expect([...messagesByField(errors)]).toEqual([
      ['url', 'Must begin with https://. Must not have a fragment.'],
      ['name', 'Must have 2 to 100 characters.'],
    ]);
  });
});

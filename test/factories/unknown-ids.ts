/** Unknown and malformed ids. */
export const unknownIds = ['01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', 'no-uuid', '%00', 'x'.repeat(5000)];

export { default as exampleUrl } from './scanned-invoice.webp?url';

export const exampleName = 'scanned-invoice.webp';

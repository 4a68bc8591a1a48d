import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { largestDocumentBytes } from '../../src/ai-gateway/ocr/body/document-limit.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { drawImage, drawTextImage } from '../documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf } from '../documents/draw-pdf.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';
import type { Visitor } from './setup/visitor.js';

const dashboard = openDashboard();

const invoice = {
  passages: [
    'INVOICE 4711',
    {
      rows: [
        ['Lamp oil', '4', '92.00'],
        ['Signal flags', '1', '38.20'],
      ],
    },
    'Due in thirty days',
  ],
};

interface DroppedDocument {
  name: string;
  type: string;
  content: Buffer;
}

async function openOcr(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const member = await createMember(dashboard.service);
  await visitor.signInAs(member);
  await page.goto('/dashboard/playground?task=ocr');
  await page.getByRole('textbox', { name: 'API key' }).fill((await createApiKey(dashboard.service, member)).key);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('Using the key').waitFor();
}

/** Drops a document on the page, as from another window. */
async function drop(page: Page, { name, type, content }: DroppedDocument): Promise<void> {
  const file = JSON.stringify({ name, type, base64: content.toString('base64') });
  const transfer = await page.evaluateHandle(`(() => {
    const { name, type, base64 } = ${file};
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type }));
    return transfer;
  })()`);
  await page.getByText('Drop an image or a PDF here').dispatchEvent('drop', { dataTransfer: transfer });
}

const textOf = (page: Page, number: number) => page.getByRole('region', { name: `Text of page ${number}` });

describe('OCR in the playground', () => {
  it(
    'should show an image that is dropped beside its text',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      await drop(page, { name: 'invoice.png', type: 'image/png', content: await drawImage(invoice) });
      await textOf(page, 1).getByText('INVOICE 4711').waitFor();
      expect(await textOf(page, 1).textContent()).toContain('Signal flags');
      expect(await findDarkestGrey(page.getByRole('img', { name: 'Page 1' }))).toBeLessThan(100);
      await page.getByRole('region', { name: 'curl command' }).getByText('base64 < invoice.png').waitFor();
    }),
  );

  it(
    'should read a PDF page by page, and count the pages',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const requests: string[] = [];
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/v1/ocr') requests.push(request.method());
      });
      await openOcr(visitor);
      const scan = await drawTextImage('The second page is a scan');
      await drop(page, { name: 'a.pdf', type: 'application/pdf', content: await drawMixedPdf(['Page one', scan]) });
      await page.getByRole('status').getByText('2 of 2 pages').waitFor();
      expect(await textOf(page, 1).textContent()).toContain('Page one');
      expect(await textOf(page, 2).textContent()).toContain('The second page is a scan');
      expect(requests).toEqual(['POST', 'POST']);
      expect(await findDarkestGrey(page.getByRole('img', { name: 'Page 1' }))).toBeLessThan(100);
    }),
  );

  it(
    "should say in the service's own words what is wrong with a document",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      const content = await drawDigitalPdf([invoice], { password: 'secret' });
      await drop(page, { name: 'locked.pdf', type: 'application/pdf', content });
      await page.getByRole('alert').getByText('The PDF is encrypted').waitFor();
      await page.getByRole('button', { name: 'Another document' }).click();
      await drop(page, { name: 'notes.txt', type: 'text/plain', content: Buffer.from('Only text') });
      await page.getByRole('alert').getByText('The document must be a PDF or an image').waitFor();
    }),
  );

  it(
    'should refuse a document that is too large before it is sent',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      const folder = await makeTemporaryFolder();
      const file = path.join(folder.path, 'too-large.png');
      await writeFile(file, '');
      await truncate(file, largestDocumentBytes + 1);
      await page.getByLabel('Document').setInputFiles(file);
      await page.getByRole('alert').getByText('The document must be at most 50 MB.').waitFor();
      await folder.remove();
    }),
  );

  it(
    'should stop when it is cancelled, and go on from there',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/v1/ocr', (route) => released.then(() => route.fallback()).catch(() => undefined));
      const pages = Array.from({ length: 3 }, (_, index) => ({ passages: [`Sheet ${index + 1}`] }));
      await drop(page, { name: 'a.pdf', type: 'application/pdf', content: await drawDigitalPdf(pages) });
      await page.getByText('0 of 3 pages').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      release();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('3 of 3 pages').waitFor();
      expect(await textOf(page, 3).textContent()).toContain('Sheet 3');
    }),
  );

  it.each(['light', 'dark'] as const)(
    'should hinder nobody in %s colours',
    dashboard.test(async (visitor, colorScheme: 'light' | 'dark') => {
      const { page } = visitor;
      await page.emulateMedia({ colorScheme });
      await openOcr(visitor);
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Try an example' }).click();
      await textOf(page, 1).getByText('INVOICE 2026-0117').waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }),
  );
});

/** Of 255 grey levels: what shows text has dark ones. */
async function findDarkestGrey(picture: Locator): Promise<number> {
  const { channels } = await sharp(await picture.screenshot())
    .greyscale()
    .stats();
  return channels[0]?.min ?? 255;
}

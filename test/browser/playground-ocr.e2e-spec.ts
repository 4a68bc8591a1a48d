import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { maxDocumentBytes } from '../../src/common/rules/document-limits.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { drawImage, drawTextImage } from '../../document-reader/test/documents/draw-image.js';
import { drawDigitalPdf, drawMixedPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { waitFor } from '../setup/wait-for.js';
import { findAccessibilityViolations } from './setup/axe.js';
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

const small = { size: [300, 250] as const };

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
  await page.getByText('Using key').waitFor();
}

/** Drops a document on the page. */
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

/** Keeps the workers that open PDFs from getting any. */
const holdDocuments = `{
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.action !== 'GetDocRequest') postMessage.call(this, message, ...rest);
  };
}`;

const textOf = (page: Page, number: number) => page.getByRole('region', { name: `Text of page ${number}` });

describe('OCR in the playground', () => {
  it(
    'should show a dropped image next to its text, even after the user visits another page',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      await drop(page, { name: 'invoice.png', type: 'image/png', content: await drawImage(invoice, small) });
      await expect(textOf(page, 1).getByText('INVOICE 4711')).toBeVisible();
      expect(await textOf(page, 1).textContent()).toContain('Signal flags');
      expect(await findDarkestGray(page.getByRole('img', { name: 'Page 1' }))).toBeLessThan(100);
      const command = page.getByRole('group', { name: 'curl command' });
      await expect(command.getByText('base64 < invoice.png')).toBeVisible();
      await page.getByRole('link', { name: 'Models' }).click();
      await expect(page.getByRole('heading', { name: 'Models' })).toBeVisible();
      await page.goBack();
      await expect(textOf(page, 1).getByText('INVOICE 4711')).toBeVisible();
      expect(await findDarkestGray(page.getByRole('img', { name: 'Page 1' }))).toBeLessThan(100);
    }),
  );

  it(
    'should read a PDF page by page and show the progress, confidence and blank pages',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      const requests: string[] = [];
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/v1/ocr') requests.push(request.method());
      });
      await openOcr(visitor);
      const scan = await drawTextImage('The second page is a scan');
      const content = await drawMixedPdf(['The first page is digital', scan, '']);
      await drop(page, { name: 'a.pdf', type: 'application/pdf', content });
      await expect(page.getByRole('status').getByText('3 pages read')).toBeVisible();
      expect(await textOf(page, 1).textContent()).toContain('The first page is digital');
      await expect(page.getByText('Confidence: 100.0%')).toBeVisible();
      expect(await textOf(page, 2).textContent()).toContain('The second page is a scan');
      await expect(page.getByText('The page is blank.')).toBeVisible();
      expect(requests).toEqual(['POST', 'POST', 'POST']);
      expect(await findDarkestGray(page.getByRole('img', { name: 'Page 1' }))).toBeLessThan(100);
    }),
  );

  it(
    'should close a PDF that is still being opened when the user leaves',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      await page.evaluate(holdDocuments);
      await drop(page, { name: 'a.pdf', type: 'application/pdf', content: await drawDigitalPdf([invoice]) });
      await waitFor(() => page.workers().length === 1);
      await page.getByRole('link', { name: 'Models' }).click();
      await waitFor(() => page.workers().length === 0);
    }),
  );

  it(
    "should show the service's error for an unreadable document",
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      const content = await drawDigitalPdf([invoice], { password: 'secret' });
      await drop(page, { name: 'locked.pdf', type: 'application/pdf', content });
      await expect(page.getByRole('alert').getByText('The PDF is encrypted')).toBeVisible();
      await waitFor(() => page.workers().length === 0);
      await page.getByRole('button', { name: 'Use another document' }).click();
      await drop(page, { name: 'notes', type: '', content: Buffer.from('Only text') });
      await expect(page.getByRole('alert').getByText('Detected type: unknown')).toBeVisible();
    }),
  );

  it(
    'should reject a document that is too large, or of another type, without uploading it',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await drop(page, { name: 'notes.txt', type: 'text/plain', content: Buffer.from('Only text') });
      await expect(page.getByRole('alert').getByText('The document must be a PDF or an image')).toBeVisible();
      const folder = await makeTemporaryFolder();
      const file = path.join(folder.path, 'too-large.png');
      await writeFile(file, '');
      await truncate(file, maxDocumentBytes + 1);
      await page.getByLabel('Document').setInputFiles(file);
      await expect(page.getByRole('alert').getByText('The document must be at most 50 MB.')).toBeVisible();
      expect(requests).not.toContain('/v1/ocr');
      await folder.remove();
    }),
  );

  it(
    'should stop when canceled and continue from there',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/v1/ocr', (route) => released.then(() => route.fallback()).catch(() => undefined));
      const pages = Array.from({ length: 3 }, (_, index) => ({
        passages: [`Sheet ${index + 1} of a digital document`],
      }));
      await drop(page, { name: 'a.pdf', type: 'application/pdf', content: await drawDigitalPdf(pages, small) });
      await expect(page.getByText('0 of 3 pages read')).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      release();
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('3 pages read')).toBeVisible();
      expect(await textOf(page, 3).textContent()).toContain('Sheet 3');
    }),
  );

  it(
    'should have no accessibility violations in light or dark mode',
    dashboard.test(async (visitor) => {
      const { page } = visitor;
      await openOcr(visitor);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Try an example' }).click();
      await expect(textOf(page, 1).getByText('INVOICE 2026-0117')).toBeVisible();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }),
  );
});

/** Returns the darkest gray level (0–255). Rendered text is dark. */
async function findDarkestGray(preview: Locator): Promise<number> {
  const { channels } = await sharp(await preview.screenshot())
    .grayscale()
    .stats();
  return channels[0]?.min ?? 255;
}

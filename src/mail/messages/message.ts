/** A mail, ready to send. */
export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** What a mail says. */
export interface Content {
  subject: string;
  /** Plain text. Names in it come from users. */
  paragraphs: string[];
  /** Where to act. */
  link?: { label: string; url: string };
  /** Why the recipient gets it, and how to stop that. */
  footer: string;
}

/** Writes the same content as text and as plain HTML. */
export function writeMessage({ subject, paragraphs, link, footer }: Content): Message {
  const text = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), `-- \n${footer}`].join('\n\n');
  const body = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
    `<p style="color:#666;font-size:small">${escapeHtml(footer)}</p>`,
  ];
  const html = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><body style="font-family:sans-serif">\n${body.join('\n')}\n</body></html>\n`;
  return { subject: subject.replaceAll(/\s+/g, ' '), text: `${text}\n`, html };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '').replaceAll('\n', '<br>');
}

import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** Fills in the page that dashboard/docs.html is built into: the introduction and an overview of all operations. */
export function renderDocsPage(template: string, document: OpenAPIObject): string {
  const { title, version, description = '' } = document.info;
  const parts: Record<string, string> = {
    API_VERSION: escapeHtml(version),
    API_GUIDE: `<h1>${escapeHtml(title)}</h1>${toHtml(description)}`,
    API_CONTENTS: toContents(document),
    API_OPERATIONS: toOverview(document),
  };
  return template.replace(/API_[A-Z]+/g, (name) => parts[name] ?? name);
}

/** The ids that the interactive reference gives its sections too. */
const sectionId = (tag: string) => `operations-tag-${tag.replaceAll(' ', '_')}`;

/** The link that opens an operation in the interactive reference. */
const operationLink = (tag: string, operationId = '') => `#/${encodeURIComponent(tag)}/${operationId}`;

const headingId = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');

function toContents({ info, tags = [] }: OpenAPIObject): string {
  const headings = [...(info.description ?? '').matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  const link = (id: string, text: string) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`;
  const list = (items: string[]) => `<ul>${items.join('')}</ul>`;
  return (
    list(headings.map((heading) => link(headingId(heading), heading))) +
    list(tags.map(({ name }) => link(sectionId(name), name)))
  );
}

function toOverview(document: OpenAPIObject): string {
  const operations = operationsOf(document);
  const sections = (document.tags ?? []).map(({ name, description = '' }) => {
    const items = operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ method, path, operation }) => {
        const route = `<code class="method">${method.toUpperCase()}</code> <code>${escapeHtml(path)}</code>`;
        const link = escapeHtml(operationLink(name, operation.operationId));
        return `<li data-link="${link}">${route} ${escapeHtml(operation.summary ?? '')}</li>`;
      });
    const heading = `<h2 id="${sectionId(name)}">${escapeHtml(name)}</h2>`;
    return `${heading}<p>${escapeHtml(description)}</p><ul class="operations">${items.join('')}</ul>`;
  });
  return sections.join('');
}

/** Converts the Markdown of the introduction: headings, paragraphs, lists, bold text and code. */
function toHtml(markdown: string): string {
  return markdown.split(/\n\n+/).map(toBlock).join('');
}

function toBlock(block: string): string {
  const text = escapeHtml(block)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
  const [, heading] = /^## (.*)$/.exec(text) ?? [];
  if (heading !== undefined) return `<h2 id="${headingId(heading)}">${heading}</h2>`;
  if (!text.startsWith('- ')) return `<p>${text}</p>`;
  const items = text.slice(2).split('\n- ');
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

import type { SwaggerUISystem } from 'swagger-ui';

/** The id that the page and Swagger UI both give to a section. */
const sectionId = (tag: string) => `operations-tag-${tag.replaceAll(' ', '_')}`;

/** Stands for the list of schemas, which comes last. */
const schemasId = 'models';

/**
 * Renders the reference section by section, with the plain list of the page in those that follow. All at once, they would
 * keep a slow device from responding for seconds.
 */
export class GradualSections {
  private readonly lists = new Map<string, Element>();
  private readonly rendered = new Set<string>();
  private readonly listeners = new Set<() => void>();
  private readonly first: string | undefined;
  private readonly waiting: string[];

  /**
   * @param page has the plain lists, each after the heading of its section
   * @param first the id of the section to start with; if it's unknown, the one on top is first
   */
  constructor(page: HTMLElement, first: string) {
    for (const heading of page.querySelectorAll('h2')) {
      const list = heading.parentElement?.querySelector(`#${heading.id} ~ .operations`);
      if (list) this.lists.set(heading.id, list.cloneNode(true) as Element);
    }
    const ids = [...this.lists.keys()];
    this.first = ids.find((id) => id === first) ?? ids[0];
    this.waiting = [...ids.filter((id) => id !== this.first), schemasId];
  }

  /** Renders a section now, before its turn. */
  render(id: string): void {
    this.rendered.add(id);
    for (const listener of this.listeners) listener();
  }

  /** A plugin of Swagger UI. */
  readonly plugin = ({ React }: SwaggerUISystem) => {
    const { createElement, useEffect, useSyncExternalStore } = React;
    const subscribe = (listener: () => void) => {
      this.listeners.add(listener);
      return () => this.listeners.delete(listener);
    };
    const useIsRendered = (id: string) => useSyncExternalStore(subscribe, () => this.rendered.has(id));
    /** Stands in for the operations of a section until it's rendered. */
    const PlainList = ({ id }: { id: string }) => {
      const list = this.lists.get(id);
      return createElement('div', { ref: (place: Element | null) => list && place?.replaceChildren(list) });
    };
    const FirstOperations = ({ children }: { children: unknown }) => {
      useEffect(() => this.renderOthers(), []);
      return children;
    };
    const wrapSection = (Section: unknown) => {
      const GradualSection = (properties: { tag: string; children: unknown }) => {
        const id = sectionId(properties.tag);
        const { children } = properties;
        const isRendered = useIsRendered(id);
        if (id === this.first) return createElement(Section, properties, createElement(FirstOperations, { children }));
        return createElement(Section, properties, isRendered ? children : createElement(PlainList, { id }));
      };
      return GradualSection;
    };
    const wrapSchemas = (Schemas: unknown) => {
      const LaterSchemas = (properties: object) =>
        useIsRendered(schemasId) ? createElement(Schemas, properties) : null;
      return LaterSchemas;
    };
    return { wrapComponents: { OperationTag: wrapSection, Models: wrapSchemas } };
  };

  /** Renders each in a task of its own, so that the page responds in between. */
  private renderOthers(): void {
    const next = this.waiting.shift();
    if (next === undefined) return;
    setTimeout(() => {
      this.render(next);
      this.renderOthers();
    });
  }
}

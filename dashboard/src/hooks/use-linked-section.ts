import { useLocation } from '@tanstack/react-router';

/** Properties of a section that links lead to. The router scrolls before the section is loaded. */
export function useLinkedSection(id: string) {
  const isLinked = useLocation({ select: ({ hash }) => hash === id });
  return { id, ref: isLinked ? scrollIntoView : undefined };
}

function scrollIntoView(section: HTMLElement | null): void {
  section?.scrollIntoView();
}

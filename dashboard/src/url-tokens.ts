import { type ParsedLocation, useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The one-time token of the link that led to this page. It survives a reload, but never shows up in the URL. */
    linkToken?: string;
  }
}

/** Returns the token from a URL fragment such as `token=…`. */
export function readLinkToken({ hash }: Pick<ParsedLocation, 'hash'>): string | undefined {
  const token = new URLSearchParams(hash).get('token');
  return token === '' || token === null ? undefined : token;
}

/** The token of the link that led to this page. */
export function useLinkToken(): string | undefined {
  return useLocation({ select: ({ state }) => state.linkToken });
}

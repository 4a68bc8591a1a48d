/** What has happened to the session in one window. */
type SessionNews = 'signed in' | 'signed out' | 'organization switched';

const channel = new BroadcastChannel('keycard-session');

/** The other windows of this browser, which share its cookie. */
export const otherWindows = {
  tell: (news: SessionNews) => channel.postMessage(news),
  listen: (listener: (news: SessionNews) => void) => {
    channel.onmessage = ({ data }: MessageEvent<SessionNews>) => listener(data);
  },
};

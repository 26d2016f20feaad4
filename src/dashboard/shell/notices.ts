import { createStore } from '../data/store.ts';

/** Toast about a completed or failed action. */
export type Notice = {
  readonly id: number;
  readonly tone: 'positive' | 'negative' | 'info';
  readonly text: string;
  readonly requestId: string | null;
};

export const notices = createStore<readonly Notice[]>([]);

let last = 0;

/** Display time of a toast, in milliseconds. Errors remain until they are closed. */
const shownMs = 6_000;

export const closeNotice = (id: number): void =>
  notices.set(notices.get().filter((notice) => notice.id !== id));

export function notify(
  text: string,
  { tone = 'positive', requestId = null }: Partial<Pick<Notice, 'tone' | 'requestId'>> = {},
): void {
  last += 1;
  const id = last;
  notices.set([...notices.get().slice(-3), { id, tone, text, requestId }]);
  if (tone !== 'negative') setTimeout(() => closeNotice(id), shownMs);
}

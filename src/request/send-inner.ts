import type { App, RequestContext } from './context.ts';

// Requests that this process sends to its own interfaces on behalf of an authenticated caller.

/** Request to an interface of this process. */
export type InnerRequest = {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** ID of the request that this request repeats. */
  readonly replayOf: string;
};

export type InnerAnswer = { readonly requestId: string; readonly status: number; readonly body: string };

type Send = (ctx: RequestContext, request: InnerRequest) => Promise<InnerAnswer>;

const senders = new WeakMap<App, Send>();

/** Sets the function that processes requests in the same way as the HTTP server. */
export const setInnerSender = (app: App, send: Send): void => void senders.set(app, send);

/** Sends a request with the permissions of the caller. */
export function sendInner(ctx: RequestContext, request: InnerRequest): Promise<InnerAnswer> {
  const send = senders.get(ctx.app);
  if (send === undefined) throw new Error('This process serves no requests.');
  return send(ctx, request);
}

import type { Caller, RequestContext } from '../context.ts';
import type { LoggedCaller, RequestNote } from './entry.ts';

/** Returns the caller of a request to record. `null` if the caller isn't an API key or a member. */
function loggedCaller(caller: Caller): LoggedCaller | null {
  if (caller.kind === 'key') return { kind: 'key', id: caller.apiKeyId };
  return caller.kind === 'member' ? { kind: 'member', id: caller.memberId } : null;
}

/** Adds a request with its response to the request log. Does nothing if the caller isn't an API key or a member. */
export function noteRequest(
  ctx: RequestContext,
  note: Omit<RequestNote, 'environmentId' | 'isLive' | 'caller' | 'apiVersion'>,
): void {
  const { requestLog } = ctx.app;
  if (!requestLog.isOn || !ctx.isAuthenticated) return;
  const caller = loggedCaller(ctx.caller);
  if (caller === null) return;
  const { id: environmentId, livemode: isLive } = ctx.environment;
  requestLog.add({ ...note, environmentId, isLive, caller, apiVersion: ctx.version });
}

import { specificError } from '../../domain/errors/errors.ts';
import type { App, Context } from '../../request/context.ts';

// Limits for concurrent live fields and sockets in a process, per caller and per environment (PLT-67).

const counts = new WeakMap<App, Map<string, number>>();

/**
 * Returns the name of the counter for a caller's live fields and sockets. For page visitors, this is the subject of the
 * token.
 */
function callerOf({ caller }: Context): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  if (caller.kind === 'member') return caller.memberId;
  return caller.kind === 'page' ? `${caller.page}:${caller.subjectId}` : caller.kind;
}

/** Name and limit of a counter, and the reason in the error if the limit is reached. A limit of 0 disables the check. */
type Limited = readonly [
  name: string,
  most: number,
  reason: 'live_fields_of_caller' | 'live_fields_of_environment' | 'sockets_of_caller',
];

/** Increments all counters and returns a function that decrements them once. Throws `rate_limited` if a limit is reached. */
function countUp(app: App, limited: readonly Limited[]): () => void {
  const known = counts.getOrInsertComputed(app, () => new Map());
  for (const [name, most, reason] of limited) {
    if (most > 0 && (known.get(name) ?? 0) >= most)
      throw specificError('rate_limited', reason, { values: { most } });
  }
  for (const [name] of limited) known.set(name, (known.get(name) ?? 0) + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    for (const [name] of limited) {
      const left = (known.get(name) ?? 0) - 1;
      if (left > 0) known.set(name, left);
      else known.delete(name);
    }
  };
}

/**
 * Counts a live field for its caller. Returns a function to call when the field ends. Throws `rate_limited` if the limit for the caller or
 * the environment is reached.
 */
export function countLiveField(ctx: Context): () => void {
  const { app, environment } = ctx;
  const { liveFieldsPerCaller, liveFieldsPerEnvironment } = app.config;
  return countUp(app, [
    [`${environment.id} ${callerOf(ctx)}`, liveFieldsPerCaller, 'live_fields_of_caller'],
    [environment.id, liveFieldsPerEnvironment, 'live_fields_of_environment'],
  ]);
}

/**
 * Counts a socket for its caller. Returns a function to call when the socket closes. Throws `rate_limited` if the caller has reached the
 * maximum, which is the same number as for live fields.
 */
export function countSocket(ctx: Context): () => void {
  const { app, environment } = ctx;
  const name = `socket ${environment.id} ${callerOf(ctx)}`;
  return countUp(app, [[name, app.config.liveFieldsPerCaller, 'sockets_of_caller']]);
}

import pino from 'pino';
import { spanNames } from './tracing/spans.ts';

/** Structured log: one JSON object per line; secrets never reach it because only named fields are logged. */
export type Log = pino.Logger;

/** Makes the log of a process, written to standard output. A line written inside a span names it and its trace. */
export const openLog = (level: string): Log =>
  pino({
    level,
    base: null,
    mixin: () => spanNames() ?? {},
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
  });

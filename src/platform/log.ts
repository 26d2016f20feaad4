import pino from 'pino';
import { spanNames } from './tracing/spans.ts';

/** Structured log with one JSON object per line. Code must name each logged field explicitly, so that secrets aren't logged by accident. */
export type Log = pino.Logger;

/** Creates the logger, which writes to standard output. Inside a tracing span, entries contain its trace and span IDs. */
export const openLog = (level: string): Log =>
  pino({
    level,
    base: null,
    mixin: () => spanNames() ?? {},
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
  });

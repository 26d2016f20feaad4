import pino from 'pino';

/** Structured log: one JSON object per line; secrets never reach it because only named fields are logged. */
export type Log = pino.Logger;

/** Makes the log of a process, written to standard output. */
export const openLog = (level: string): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err },
  });
